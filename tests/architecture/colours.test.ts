/** The pages opened from e-mails have the colours and the mark of the dashboard, which their package does not see. */
import { readFileSync } from "node:fs"
import { colours, html } from "@kanmon/platform/http/FormPage"
import { schemes } from "@kanmon/status-page/Tokens"
import { assert, describe, it } from "vitest"

describe("pages opened from an e-mail", () => {
  for (const scheme of ["light", "dark"] as const)
    it(`have the ${scheme} colours of the dashboard`, () =>
      assert.deepStrictEqual({ ...schemes[scheme], ...colours[scheme] }, schemes[scheme]))

  it("have its mark", () => {
    const mark = readFileSync(new URL("../../apps/dashboard/src/theme/mark.svg", import.meta.url), "utf8")
    const page = html({ title: "Title", paragraphs: [] })
    for (const [path] of mark.matchAll(/ d="[^"]+"/g)) assert.include(page, path)
  })
})
