/**
 * The colours of everything that people see: status pages and the dashboard. Names are CSS custom properties without their
 * dashes; contrast is WCAG 2.2 AA on `ground` and on `surface`.
 */

type Token =
  | "ground"
  | "surface"
  | "ink"
  | "soft"
  | "line"
  | "accent"
  | "up"
  | "degraded"
  | "down"
  | "maintenance"
  | "quiet"
  | "good"
  | "minor"
  | "worse"
  | "none"
  | "tint"
  | "shadow"

/** The values of one colour scheme. */
export type Scheme = Readonly<Record<Token, string>>

const light: Scheme = {
  ground: "#f8f8f6",
  surface: "#fff",
  ink: "#171a1f",
  soft: "#59616c",
  line: "#e3e4e0",
  accent: "#2b5bd0",
  up: "#15764a",
  degraded: "#8a5c00",
  down: "#bf2530",
  maintenance: "#2b5bd0",
  quiet: "#636b76",
  good: "#2a9a66",
  minor: "#b58100",
  worse: "#cf5f00",
  none: "#878e98",
  tint: "7%",
  shadow: "0 1px 2px rgb(20 24 30 / 5%)"
}

const dark: Scheme = {
  ground: "#0e1114",
  surface: "#15191e",
  ink: "#e8ebef",
  soft: "#a1a9b4",
  line: "#272d35",
  accent: "#8fb2ff",
  up: "#57c78e",
  degraded: "#e2b04a",
  down: "#ff8a86",
  maintenance: "#8fb2ff",
  quiet: "#a1a9b4",
  good: "#3fae7a",
  minor: "#d9a93a",
  worse: "#f08a3c",
  none: "#6d7682",
  tint: "12%",
  shadow: "none"
}

/** The declarations of a scheme. */
const declarations = (scheme: Scheme): string =>
  Object.entries(scheme)
    .map(([name, value]) => `--${name}: ${value};`)
    .join("\n")

/** Follows the system's scheme. */
export const systemTokens = `:root {
color-scheme: light dark;
${declarations(light)}
}
@media (prefers-color-scheme: dark) {
:root {
${declarations(dark)}
}
}
`

/** Follows the system's scheme unless the root element's `data-scheme` is `light` or `dark`. */
export const switchableTokens = `:root {
color-scheme: light;
${declarations(light)}
}
@media (prefers-color-scheme: dark) {
:root:not([data-scheme="light"]) {
color-scheme: dark;
${declarations(dark)}
}
}
:root[data-scheme="dark"] {
color-scheme: dark;
${declarations(dark)}
}
`
