/**
 * Small HTML pages opened from an e-mail: a few sentences and at most one form, without scripts, in the look of the sign-in page.
 * Opening a page changes nothing, because mail scanners follow links too; the form posts to the same URL.
 */
import { escapeHtml as escape } from "@kanmon/domain/EscapeHtml"
import type { Locale } from "@kanmon/domain/Locale"

export interface FormPage {
  /** English without one. */
  readonly locale?: Locale
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  /** The subjects of the page, each with its present state, between the paragraphs and the form. */
  readonly states?: ReadonlyArray<PageState>
  /** After the states: their meaning and the next step. */
  readonly closing?: ReadonlyArray<string>
  readonly form?: {
    readonly fields: ReadonlyArray<
      | { readonly type: "hidden"; readonly name: string; readonly value: string }
      | { readonly type: "password"; readonly name: string; readonly label: string }
    >
    readonly button: string
  }
  /** Where the person can go on. */
  readonly link?: { readonly href: string; readonly label: string }
  /** Names and values, for example what an identity provider said. */
  readonly details?: ReadonlyArray<readonly [name: string, value: string]>
}

/** Something and its state. */
export interface PageState {
  /** The colour of its edge. */
  readonly tone: "up" | "degraded" | "down" | "quiet"
  readonly name: string
  readonly lines: ReadonlyArray<string>
}

/** The colours of `packages/status-page/src/Tokens.ts`, which this package does not see; a test compares them. */
export const colours = {
  light: {
    ground: "#f8f8f6",
    surface: "#fff",
    ink: "#171a1f",
    soft: "#59616c",
    line: "#e3e4e0",
    accent: "#3a3fc4",
    up: "#15764a",
    degraded: "#8a5c00",
    down: "#bf2530",
    quiet: "#636b76",
    tint: "7%"
  },
  dark: {
    ground: "#0e1114",
    surface: "#15191e",
    ink: "#e8ebef",
    soft: "#a1a9b4",
    line: "#272d35",
    accent: "#9aa2ff",
    up: "#57c78e",
    degraded: "#e2b04a",
    down: "#ff8a86",
    quiet: "#a1a9b4",
    tint: "12%"
  }
} as const

const declared = (scheme: Readonly<Record<string, string>>): string =>
  `:root{${Object.entries(scheme)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";")}}`

const style = [
  declared(colours.light),
  `@media(prefers-color-scheme:dark){${declared(colours.dark)}}`,
  "*{box-sizing:border-box}",
  `body{margin:0;min-height:100dvh;display:flex;flex-direction:column;align-items:center;padding:2.5rem 1rem;background:var(--ground);color:var(--ink);font:0.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;overflow-wrap:anywhere}`,
  "@media(min-width:40rem){body{justify-content:center}}",
  "main{width:100%;max-width:30rem}svg{display:block;width:2.5rem;height:2.5rem;margin-bottom:1rem}",
  "h1{margin:0 0 1.25rem;font-size:1.375rem;line-height:1.3;font-weight:600;letter-spacing:-.01em;text-wrap:balance}p{margin:.75rem 0}",
  "ul{list-style:none;margin:1.25rem 0;padding:0;display:grid;gap:.5rem}li{border-inline-start:3px solid var(--tone);border-radius:0 10px 10px 0;padding:.75rem 1.25rem;background:color-mix(in srgb,var(--tone) var(--tint),var(--surface))}li b{display:block;font-weight:600}li span{display:block;font-size:.875rem}",
  ...(["up", "degraded", "down", "quiet"] as const).map((tone) => `.is-${tone}{--tone:var(--${tone})}`),
  "label{display:block;margin:1rem 0;font-size:.875rem;font-weight:500}input{display:block;width:100%;min-height:2.5rem;margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:7px;background:var(--surface);color:inherit;font:inherit}",
  "button,.go{display:inline-flex;align-items:center;min-height:2.75rem;margin-top:.5rem;padding:.375rem 1.125rem;border:1px solid transparent;border-radius:7px;font:inherit;font-weight:500;cursor:pointer}button{background:var(--accent);color:var(--surface)}.go{border-color:var(--line);background:var(--surface);color:var(--ink);text-decoration:none}",
  ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}",
  "dt{font-weight:600;margin-top:.75rem}dd{margin:0;white-space:pre-wrap}"
].join("")

/** The mark of the product, as in `apps/dashboard/src/theme/mark.svg`. */
const mark = `<svg viewBox="0 0 32 32" role="img" aria-label="Kanmon"><rect width="32" height="32" rx="7" fill="#3a3fc4"/><path d="M5.5 9.2h21M8 14h16M10.5 9.2v16.3M21.5 9.2v16.3" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`

const stateOf = ({ lines, name, tone }: PageState): string =>
  `<li class="is-${tone}"><b>${escape(name)}</b>${lines.map((line) => `<span>${escape(line)}</span>`).join("")}</li>`

const paragraphOf = (text: string): string => `<p>${escape(text)}</p>`

const fieldOf = (field: NonNullable<FormPage["form"]>["fields"][number]): string =>
  field.type === "hidden"
    ? `<input type="hidden" name="${escape(field.name)}" value="${escape(field.value)}">`
    : `<label>${escape(field.label)}<input type="password" name="${escape(field.name)}" autocomplete="current-password" required></label>`

export const html = ({
  closing = [],
  details = [],
  form,
  link,
  locale = "en",
  paragraphs,
  states = [],
  title
}: FormPage): string =>
  [
    `<!doctype html>`,
    `<html lang="${locale}">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="robots" content="noindex">`,
    `<title>${escape(title)} · Kanmon</title>`,
    `<style>${style}</style>`,
    `</head>`,
    `<body><main>`,
    mark,
    `<h1>${escape(title)}</h1>`,
    ...paragraphs.map(paragraphOf),
    ...(states.length === 0 ? [] : [`<ul>`, ...states.map(stateOf), `</ul>`]),
    ...closing.map(paragraphOf),
    ...(form === undefined
      ? []
      : [`<form method="post">`, ...form.fields.map(fieldOf), `<button>${escape(form.button)}</button>`, `</form>`]),
    ...(details.length === 0
      ? []
      : [`<dl>`, ...details.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`), `</dl>`]),
    ...(link === undefined ? [] : [`<p><a class="go" href="${escape(link.href)}">${escape(link.label)}</a></p>`]),
    `</main></body>`,
    `</html>`,
    ``
  ].join("\n")

export const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  // With no-referrer, browsers would send the form without an origin.
  "referrer-policy": "same-origin",
  "cache-control": "no-store"
} as const
