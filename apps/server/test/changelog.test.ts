import { assert, describe, it } from "@effect/vitest"
import { notes, section, withSection } from "../scripts/changelog.ts"

const change = (type: "major" | "minor" | "patch", summary: string) => ({ summary, releases: [{ type }] })

const report = {
  changesets: [
    change("patch", "Mend one.\nIt was broken."),
    change("minor", "Add two."),
    { summary: "", releases: [] }
  ],
  releases: [{ oldVersion: "0.1.0", newVersion: "0.2.0" }]
}

describe("the changelog", () => {
  const added = section("0.2.0", "2026-12-01", report)

  it("groups changes by how much they change, and leaves out empty ones", () => {
    assert.strictEqual(
      added,
      "## 0.2.0 (2026-12-01)\n\n### Features\n\n- Add two.\n\n### Fixes\n\n- Mend one.\n  It was broken."
    )
  })

  it("puts the newest version first and returns the notes of each", () => {
    const changelog = withSection("# Changelog\n\nIntroduction.\n\n## 0.1.0\n\nThe first.\n", added)
    assert.match(
      changelog,
      /^# Changelog\n\nIntroduction\.\n\n## 0\.2\.0 [^]*It was broken\.\n\n## 0\.1\.0\n\nThe first\.\n$/
    )
    assert.strictEqual(notes(changelog, "0.1.0"), "The first.")
    assert.match(notes(changelog, "0.2.0") ?? "", /^### Features/)
    assert.isUndefined(notes(changelog, "0.2"))
  })
})
