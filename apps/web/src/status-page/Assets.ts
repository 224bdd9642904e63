/** What the page is made of besides its markup: the stylesheet, the script, and the policy that allows these alone. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { client } from "./client.ts"
import { dayTips } from "./client/DayTips.ts"
import { morph } from "./client/Morph.ts"
import { times } from "./client/Times.ts"
import { duration } from "./Duration.ts"

/** The stylesheet: it stands in every document, so that the first answer can be shown as it is meant. */
export const style = readFileSync(new URL("page.css", import.meta.url), "utf8")

// Every part uses nothing outside itself, so its source can be sent as it stands, without a build.
const source = `"use strict";(${client})({
dayTips: ${dayTips},
duration: ${duration},
morph: ${morph},
times: ${times}
})`

/** The script. Its path changes with it, so it can be cached for good. */
export const script = {
  source,
  /** From the root of any host that shows pages, so that all of them share one cached copy. */
  path: `/assets/status-page-${createHash("sha256").update(source).digest("hex").slice(0, 12)}.js`
} as const

/** The one inline style is allowed by its hash, and nothing comes from elsewhere. */
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
