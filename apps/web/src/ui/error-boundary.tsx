"use client";
import { Component, type ComponentType, type ReactNode } from "react";

/** What went wrong below a boundary. */
export interface BoundaryFailure {
  readonly error: unknown;
  /** Renders what is below once more. */
  readonly retry: () => void;
}

interface Props {
  readonly children: ReactNode;
  readonly fallback: ComponentType<BoundaryFailure>;
  /** Called for a retry: code outside of the boundary may have to be retried too. */
  readonly onRetry?: () => void;
  /** Another value means that something else is below: it is retried automatically. */
  readonly resetKey?: string;
}

interface State {
  /** Boxed: whatever is thrown is an error, also `undefined`. */
  readonly caught: { readonly error: unknown } | undefined;
}

/** Keeps an error of what it holds from taking the rest of the page with it. (React knows boundaries only as classes.) */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { caught: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { caught: { error } };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.caught !== undefined && before.resetKey !== this.props.resetKey) this.#reset();
  }

  readonly #reset = (): void => this.setState({ caught: undefined });

  readonly #retry = (): void => {
    this.props.onRetry?.();
    this.#reset();
  };

  override render(): ReactNode {
    const { caught } = this.state;
    const { children, fallback: Fallback } = this.props;
    return caught === undefined ? children : <Fallback error={caught.error} retry={this.#retry} />;
  }
}
