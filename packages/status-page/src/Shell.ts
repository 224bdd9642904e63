/** The frame of every document: its head, header and footer. */
import { style } from "./Assets.ts"
import { type Html, html, type HtmlChildren, rendered } from "./Html.ts"
import { favicon, sprite } from "./Icons.ts"
import type { Tone } from "./State.ts"

export interface Shell {
  readonly title: string
  readonly tone: Tone
  /** Additional elements for the head. */
  readonly head?: HtmlChildren
  readonly body: HtmlChildren
  /** Instead of the inline stylesheet, which follows the colours of the system. */
  readonly styled?: { readonly href: string; readonly scheme: "light" | "dark" | undefined }
  /** Another inline stylesheet. */
  readonly inlined?: { readonly style: string; readonly scheme: "light" | "dark" | undefined }
}

export const poweredBy = (): Html => html`<p>Powered by <b>Kanmon</b></p>`

/** Renders the document. */
export const shell = ({ body, head, inlined, styled, title, tone }: Shell): string => {
  const document = rendered(html`
    <html lang="en" data-scheme=${styled?.scheme ?? inlined?.scheme}>
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href=${favicon(tone)} />
        ${head}
        ${
          styled === undefined
            ? html`<style dangerouslySetInnerHTML=${{ __html: inlined?.style ?? style }} />`
            : html`<link rel="stylesheet" href=${styled.href} />`
        }
      </head>
      <body>
        ${sprite()}${body}
      </body>
    </html>
  `)
  return `<!doctype html>\n${document}\n`
}
