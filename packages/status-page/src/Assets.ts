/** The page's stylesheet and script, and the content security policy that allows only these. */
import { createHash } from "node:crypto"
// oxlint-disable-next-line no-restricted-imports -- the files that it reads are its own stylesheets
import { readFileSync } from "node:fs"
import { client } from "./client.ts"
import { barTips } from "./client/BarTips.ts"
import { dayLines } from "./client/DayLines.ts"
import { morph } from "./client/Morph.ts"
import { times } from "./client/Times.ts"
import { duration } from "./Duration.ts"
import { switchableTokens, systemTokens } from "./Tokens.ts"

const rules = readFileSync(new URL("page.css", import.meta.url), "utf8")

/** The stylesheet of the compact form, inlined. */
export const embedStyle = switchableTokens + readFileSync(new URL("embed.css", import.meta.url), "utf8")

/** The stylesheet, inlined so that the first response renders without another request. */
export const style = systemTokens + rules

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12)

/** The stylesheet of previews, by address, since the site that shows them allows no inline style. */
export const previewStyle = {
  source: switchableTokens + rules,
  path: `/assets/status-page-${hashOf(switchableTokens + rules)}.css`
} as const

// The functions use nothing outside themselves, so their source is sent without a build step.
const source = `"use strict";(${client})({
barTips: ${barTips},
dayLines: ${dayLines},
duration: ${duration},
morph: ${morph},
times: ${times}
})`

/** The script. Its path contains its hash, so it can be cached forever. */
export const script = {
  source,
  /** Below the root of all pages of a host, so that they share one cached copy. */
  path: `/assets/status-page-${hashOf(source)}.js`
} as const

const policyFor = (inlined: string, ancestors: string): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(inlined).digest("base64")}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`
  ].join("; ")

/** The policy of the compact form: it runs no script, and these origins alone may frame it. */
export const embedPolicy = (origins: ReadonlyArray<string>): string =>
  policyFor(embedStyle, origins.length === 0 ? "'none'" : origins.join(" "))

/** Allows the inline style by its hash, and nothing from other origins. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")
