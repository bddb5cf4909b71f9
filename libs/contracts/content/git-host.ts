/** The kinds of git hosts whose pages show a file at a commit. */
export const GIT_HOST_KINDS = ['github', 'gitlab', 'bitbucket', 'gitea'] as const;
export type GitHostKind = (typeof GIT_HOST_KINDS)[number];
