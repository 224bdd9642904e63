/** The sites that may show the compact form of a page, and the piece of HTML that shows it there. */
import { t } from "../../locales/text.ts"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { TextField } from "../../ui/Field.tsx"
import { pageAddress, type StatusPage } from "./queries.ts"

/** One origin a line, or separated by blanks and commas. */
export const originsIn = (text: string): ReadonlyArray<string> => text.split(/[\s,]/).filter((origin) => origin !== "")

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** Where a page is shown under its own name, or else on this installation. */
const homeOf = ({ customDomain, customDomainStatus, slug }: StatusPage): string =>
  customDomain !== null && customDomainStatus === "active" ? `https://${customDomain}` : pageAddress(slug)

const snippetOf = (page: StatusPage): string =>
  `<iframe src="${homeOf(page)}/embed" title="${escaped(page.name)}" loading="lazy" style="width: 100%; height: 9rem; border: 0"></iframe>`

export const Embedding = ({
  error,
  onChange,
  page,
  text
}: {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly error: string | undefined
  readonly page: StatusPage | undefined
}) => (
  <section className="flex min-w-0 flex-col gap-3">
    <TextField
      label={t("Sites that may embed it")}
      help={t("Origins such as https://portal.example.org, one a line. They can show its state in a frame.")}
      value={text}
      onChange={onChange}
      error={error}
      rows={3}
      code
      optional
      spellCheck="false"
    />
    {page !== undefined && page.embedOrigins.length > 0 && (
      <div className="flex min-w-0 flex-col gap-2">
        <p className="text-small text-soft">{t("Put this where the state is to be shown:")}</p>
        <pre className="min-w-0 overflow-x-auto rounded-lg border border-line p-3 text-small">
          <code>{snippetOf(page)}</code>
        </pre>
        <div>
          <CopyButton text={snippetOf(page)} />
        </div>
      </div>
    )}
  </section>
)
