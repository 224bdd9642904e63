/**
 * The colours of everything that people see: status pages and the dashboard. Names are CSS custom properties without their
 * dashes; contrast is WCAG 2.2 AA on `ground` and on `surface`. The accent is for what can be pressed and is never a state;
 * series tell lines of a chart apart, for colour-blind readers too, and are no state either.
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

type SeriesToken = `series-${1 | 2 | 3 | 4 | 5}`

/** The values of one colour scheme of a page. */
type PageScheme = Readonly<Record<Token, string>>

const light: PageScheme = {
  ground: "#f8f8f6",
  surface: "#fff",
  ink: "#171a1f",
  soft: "#59616c",
  line: "#e3e4e0",
  accent: "#3a3fc4",
  up: "#15764a",
  degraded: "#8a5c00",
  down: "#bf2530",
  maintenance: "#0b6b86",
  quiet: "#636b76",
  good: "#2a9a66",
  minor: "#b58100",
  worse: "#cf5f00",
  none: "#878e98",
  tint: "7%",
  shadow: "0 1px 2px rgb(20 24 30 / 5%)"
}

const dark: PageScheme = {
  ground: "#0e1114",
  surface: "#15191e",
  ink: "#e8ebef",
  soft: "#a1a9b4",
  line: "#272d35",
  accent: "#9aa2ff",
  up: "#57c78e",
  degraded: "#e2b04a",
  down: "#ff8a86",
  maintenance: "#62c4e3",
  quiet: "#a1a9b4",
  good: "#3fae7a",
  minor: "#d9a93a",
  worse: "#f08a3c",
  none: "#6d7682",
  tint: "12%",
  shadow: "none"
}

/** The lines of charts, which status pages do not have. */
const series = {
  light: {
    "series-1": "#434eea",
    "series-2": "#0a96d6",
    "series-3": "#0a553d",
    "series-4": "#75128e",
    "series-5": "#988a71"
  },
  dark: {
    "series-1": "#7d6bff",
    "series-2": "#77adf5",
    "series-3": "#5fe3d8",
    "series-4": "#b86099",
    "series-5": "#c8a471"
  }
} as const satisfies Record<string, Readonly<Record<SeriesToken, string>>>

/** The values of one colour scheme of the dashboard. */
export type Scheme = Readonly<Record<Token | SeriesToken, string>>

/** Both schemes with the colours of series: the dashboard's. */
export const schemes = { light: { ...light, ...series.light }, dark: { ...dark, ...series.dark } } satisfies Record<
  string,
  Scheme
>

/** The declarations of a scheme. */
const declarations = (scheme: Readonly<Record<string, string>>): string =>
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
const switchable = (light: Readonly<Record<string, string>>, dark: Readonly<Record<string, string>>): string => `:root {
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

/** For what people switch: previews and forms in a frame. */
export const switchableTokens = switchable(light, dark)

/** The dashboard's. */
export const dashboardTokens = switchable(schemes.light, schemes.dark)
