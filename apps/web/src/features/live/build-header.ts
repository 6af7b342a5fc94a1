/** Header of answers to a page's calls: the name of the build that the server's own pages are of. */
export const BUILD_HEADER = "x-binnacle-build";
