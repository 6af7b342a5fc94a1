"use client";
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A sign to press that steps through something; at its end it stays, and says that it does nothing. */
export function StepButton(props: {
  readonly name: IconName;
  readonly label: string;
  readonly className?: string | undefined;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}): ReactNode {
  const { name, label, className, disabled = false, onPress } = props;
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      title={label}
      // Not `disabled`: the focus would be lost with the last step.
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <Icon name={name} size={14} />
    </button>
  );
}
