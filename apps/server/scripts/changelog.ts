/** The changelog's section for a release, from what `changeset status` reports. */

type Bump = "major" | "minor" | "patch" | "none"

/** The parts of the report that are read here. */
export interface Report {
  readonly changesets: ReadonlyArray<{
    readonly summary: string
    readonly releases: ReadonlyArray<{ readonly type: Bump }>
  }>
  readonly releases: ReadonlyArray<{ readonly oldVersion: string; readonly newVersion: string }>
}

const headings = { major: "Breaking changes", minor: "Features", patch: "Fixes" } as const
const order = ["major", "minor", "patch"] as const

const bumpOf = (releases: ReadonlyArray<{ readonly type: Bump }>): keyof typeof headings | undefined =>
  order.find((bump) => releases.some(({ type }) => type === bump))

/** Empty changesets have no line: they only say that there is nothing to tell. */
export const section = (version: string, date: string, { changesets }: Report): string =>
  [
    `## ${version} (${date})`,
    ...order.flatMap((bump) => {
      const lines = changesets
        .filter(({ releases }) => bumpOf(releases) === bump)
        .map(({ summary }) => `- ${summary.trim().replaceAll("\n", "\n  ")}`)
      return lines.length === 0 ? [] : [`### ${headings[bump]}`, lines.join("\n")]
    })
  ].join("\n\n")

/** The newest version stands first, below the introduction. */
export const withSection = (changelog: string, added: string): string => {
  const first = changelog.indexOf("\n## ")
  return first < 0
    ? `${changelog.trimEnd()}\n\n${added}\n`
    : `${changelog.slice(0, first)}\n${added}\n${changelog.slice(first)}`
}

/** The section of one version without its heading: the notes of its release. */
export const notes = (changelog: string, version: string): string | undefined =>
  changelog
    .split(/^## /m)
    .find((part) => part.startsWith(`${version}\n`) || part.startsWith(`${version} (`))
    ?.replace(/^.*\n/, "")
    .trim()
