/**
 * Small HTML pages opened from an e-mail: a few sentences and at most one form, without scripts. Opening a page changes
 * nothing, because mail scanners follow links too; the form posts to the same URL.
 */
import { escapeHtml as escape } from "@kanmon/domain/EscapeHtml"
import type { Locale } from "@kanmon/domain/Locale"

export interface FormPage {
  /** English without one. */
  readonly locale?: Locale
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
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

const style =
  "body{margin:0;padding:2rem 1rem;font:16px/1.5 system-ui,sans-serif}main{max-width:34rem;margin:0 auto}" +
  "input,button{font:inherit;padding:.5rem .75rem}label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box}" +
  "dt{font-weight:600;margin-top:.75rem;overflow-wrap:anywhere}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}"

const fieldOf = (field: NonNullable<FormPage["form"]>["fields"][number]): string =>
  field.type === "hidden"
    ? `<input type="hidden" name="${escape(field.name)}" value="${escape(field.value)}">`
    : `<label>${escape(field.label)}<input type="password" name="${escape(field.name)}" autocomplete="current-password" required></label>`

export const html = ({ details = [], form, link, locale = "en", paragraphs, title }: FormPage): string =>
  [
    `<!doctype html>`,
    `<html lang="${locale}">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width,initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<meta name="robots" content="noindex">`,
    `<title>${escape(title)}</title>`,
    `<style>${style}</style>`,
    `</head>`,
    `<body><main>`,
    `<h1>${escape(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${escape(text)}</p>`),
    ...(form === undefined
      ? []
      : [`<form method="post">`, ...form.fields.map(fieldOf), `<button>${escape(form.button)}</button>`, `</form>`]),
    ...(details.length === 0
      ? []
      : [`<dl>`, ...details.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`), `</dl>`]),
    ...(link === undefined ? [] : [`<p><a href="${escape(link.href)}">${escape(link.label)}</a></p>`]),
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
