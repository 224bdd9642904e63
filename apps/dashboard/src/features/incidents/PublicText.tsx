/** A message as the status page shows it: by the same rules, next to where it is written. */
import { messageParts } from "@kanmon/status-page/MessageParts"
import { useState } from "react"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"

/** Characters of a text that are shown until all of it is asked for. */
const folded = 1500

export const PublicText = ({ text }: { readonly text: string }) => {
  const [isOpen, setOpen] = useState(false)
  const isFolded = !isOpen && text.length > folded
  return (
    <>
      <Parts text={isFolded ? `${text.slice(0, folded)}…` : text} />
      {isFolded && (
        <div>
          <Button onPress={() => setOpen(true)}>{t("Show the whole text")}</Button>
        </div>
      )}
    </>
  )
}

const Parts = ({ text }: { readonly text: string }) => (
  <p dir="auto" className="max-w-prose whitespace-pre-line">
    {messageParts(text).map(({ isLink, text }, index) =>
      isLink ? (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
        <a key={index} href={text} target="_blank" rel="nofollow noopener noreferrer" className="text-accent underline">
          {text}
        </a>
      ) : (
        text
      )
    )}
  </p>
)

/** A preview of the public text, while it is typed. */
export const Preview = ({
  step,
  text,
  title
}: {
  readonly title?: string
  readonly step: string
  readonly text: string
}) => (
  <section
    aria-label={t("Preview of the public text")}
    className="flex min-w-0 flex-col gap-1 rounded-xl border border-dashed border-line bg-ground px-4 py-3"
  >
    <p className="text-small text-soft">{t("As visitors of the status page see it")}</p>
    {title !== undefined && title.trim() !== "" && (
      <p dir="auto" className="font-semibold">
        {title}
      </p>
    )}
    <p className="text-sm">
      <b>{step}</b> <span className="text-soft">{t("just now")}</span>
    </p>
    {text.trim() === "" ? <p className="text-sm text-soft">{t("No text yet")}</p> : <PublicText text={text} />}
  </section>
)
