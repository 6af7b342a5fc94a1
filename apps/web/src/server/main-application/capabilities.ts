/** What a main application can do, so that pages say what is off and never find out by an error. */
export interface Capabilities {
  /** Commits and deployments of projects are known. */
  readonly commits: boolean;
  /** Files of projects' repositories can be read: `.gitlab/binnacle.yaml`, manifests. */
  readonly files: boolean;
  /** Agents apply manifests from its repositories. */
  readonly gitops: boolean;
}

/** Of a main application with Git. */
export const WITH_GIT: Capabilities = { commits: true, files: true, gitops: true };
/** Of one without. */
export const WITHOUT_GIT: Capabilities = { commits: false, files: false, gitops: false };
