/** The answer of a target to a failing check. It is text of a stranger: shown as text, never linked or interpreted. */
import { t } from "../../locales/text.ts"
import { Moment } from "../../ui/Time.tsx"
import type { Detail } from "./queries.ts"

const code = "rounded-lg bg-ink/6 px-3 py-2 font-mono text-small whitespace-pre-wrap break-all"

export const Capture = ({ capture }: { readonly capture: NonNullable<Detail["capture"]> }) => {
  const { body, bodyTruncated, capturedAt, finalUrl, headers, remoteAddress, statusLine } = capture
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="text-small text-soft">
        <Moment at={capturedAt} />
        {" · "}
        <bdi className="font-mono break-all">{finalUrl}</bdi>
        {remoteAddress !== null && (
          <>
            {" · "}
            <bdi className="font-mono">{remoteAddress}</bdi>
          </>
        )}
      </p>
      <p dir="auto" className={code}>
        <span className="font-semibold">{statusLine ?? t("There was no answer.")}</span>
        {headers.map(({ name, value }, index) => (
          // Headers repeat, so only their place identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className="block">
            <span className="text-soft">{name}:</span> {value}
          </span>
        ))}
      </p>
      {body !== null && (
        <>
          <pre
            dir="auto"
            // Long answers scroll, which the keyboard must be able to do too.
            tabIndex={0}
            role="region"
            aria-label={t("Body of the answer")}
            className={`${code} max-h-80 overflow-auto`}
          >
            {body === "" ? t("The body is empty.") : body}
          </pre>
          {bodyTruncated && <p className="text-small text-soft">{t("Only the beginning of the body is kept.")}</p>}
        </>
      )}
    </div>
  )
}
