declare namespace NodeJS {
  interface ProcessEnv {
    /** Names the build that the code is of; the bundler replaces it, also in the browser. */
    readonly BINNACLE_BUILD?: string;
    /** What addresses begin with; the bundler puts a placeholder here, and the server what is right at its start. */
    readonly BINNACLE_PATH_PREFIX?: string;
  }
}
