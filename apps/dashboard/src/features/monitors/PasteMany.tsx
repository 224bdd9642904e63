/** Creates a monitor for each line of a text, and reports the result of each line. */
import { useMemo, useState } from "react"
import { ApiError } from "../../api/problem.ts"
import { useCreateMonitor, useCreateMonitors } from "../../live/writes.ts"
import { secondsOf } from "../../locales/durations.ts"
import { t } from "../../locales/text.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { DurationField } from "../../ui/DurationField.tsx"
import { Dialog } from "../../ui/Overlay.tsx"
import { Shape } from "../../ui/Status.tsx"
import { reasonsOf } from "./writes.ts"

/** Guesses the type and the fields of a line's monitor. */
type Guess = (line: string) => { readonly type: string; readonly fields: Readonly<Record<string, string>> } | undefined

interface Report {
  readonly line: string
  /** Undefined: it was created. */
  readonly problem: string | undefined
}

/** Requests at the same time. */
const concurrency = 4
/** Monitors of one request. The report grows with each. */
const together = 100

const PasteMany = ({ guess, onClose }: { readonly guess: Guess; readonly onClose: () => void }) => {
  const { mutateAsync: createOne } = useCreateMonitor()
  const { mutateAsync: createMany } = useCreateMonitors()
  const [text, setText] = useState("")
  const [tags, setTags] = useState("")
  const [group, setGroup] = useState("")
  const [interval, setInterval] = useState("60")
  const [reports, setReports] = useState<ReadonlyArray<Report>>([])
  const [isCreating, setCreating] = useState(false)
  const lines = useMemo(() => [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean), [text])
  const unclear = useMemo(() => lines.filter((line) => guess(line) === undefined), [lines, guess])
  const count = lines.length - unclear.length

  /** The monitor of a line; undefined when it is unclear. */
  const bodyOf = (line: string) => {
    const found = guess(line)
    if (found === undefined) return undefined
    const { port, ...fields } = found.fields
    return {
      type: found.type,
      ...fields,
      ...(port === undefined ? {} : { port: Number(port) }),
      interval: secondsOf(interval),
      tags: tags
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
      ...(group.trim() === "" ? {} : { group: group.trim() })
    }
  }

  const create = async (line: string): Promise<Report> => {
    const body = bodyOf(line)
    if (body === undefined) return { line, problem: t("Not an address: write a URL, host:port or a host name.") }
    try {
      await createOne({ body })
      return { line, problem: undefined }
    } catch (error) {
      return { line, problem: reasonsOf(error).join(" ") }
    }
  }

  /** With one request. When the server refuses them together, each is tried alone, so that each line gets its answer. */
  const createTogether = async (some: ReadonlyArray<string>, report: (one: Report) => void): Promise<void> => {
    const monitors = some.map(bodyOf).filter((body) => body !== undefined)
    if (some.length > 1 && monitors.length === some.length) {
      try {
        await createMany(monitors)
        for (const line of some) report({ line, problem: undefined })
        return
      } catch (error) {
        if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) {
          for (const line of some) report({ line, problem: reasonsOf(error).join(" ") })
          return
        }
      }
    }
    let next = 0
    const work = async () => {
      while (next < some.length) report(await create(some[next++]!))
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }

  const createAll = async () => {
    setCreating(true)
    setReports([])
    const done: Array<Report> = []
    const clear = lines.filter((line) => !unclear.includes(line))
    const parts = [
      unclear,
      ...Array.from({ length: Math.ceil(clear.length / together) }, (_, index) =>
        clear.slice(index * together, (index + 1) * together)
      )
    ]
    for (const part of parts) {
      await createTogether(part, (one) => done.push(one))
      setReports([...done])
    }
    // Failed lines stay, to be corrected and tried again.
    setText(done.flatMap(({ line, problem }) => (problem === undefined ? [] : [line])).join("\n"))
    setCreating(false)
  }

  return (
    <Dialog title={t("Add many monitors")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void createAll()
        }}
      >
        <TextField
          autoFocus
          code
          rows={7}
          label={t("Targets, one a line")}
          placeholder={"https://example.org\nmail.example.org:25\nshop.example.org"}
          value={text}
          onChange={setText}
          isReadOnly={isCreating}
          help={
            unclear.length > 0
              ? t(
                  "{count, plural, one {# line is no address: {first}} other {# lines are no addresses, such as {first}}}",
                  {
                    count: unclear.length,
                    first: unclear[0]!
                  }
                )
              : t("URLs are checked over HTTP, host:port over TCP, host names over HTTPS.")
          }
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField label={t("Tags")} optional value={tags} onChange={setTags} />
          <TextField label={t("Group")} optional value={group} onChange={setGroup} />
        </div>
        <DurationField
          label={t("Interval")}
          help={t("Time between two checks.")}
          value={interval}
          onChange={setInterval}
        />
        {reports.length > 0 && (
          <ul aria-live="polite" className="max-h-56 divide-y divide-line overflow-auto rounded-lg border border-line">
            {reports.map(({ line, problem }) => (
              <li key={line} className="flex items-start gap-2 px-3 py-2 text-sm">
                <Shape tone={problem === undefined ? "up" : "down"} className="mt-0.5" />
                <span className="min-w-0">
                  <bdi className="font-medium">{line}</bdi>
                  <span className="block text-soft">{problem ?? t("Created")}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t("Close")}</Button>
          <Button kind="primary" type="submit" isDisabled={count === 0 || isCreating}>
            {t("{count, plural, one {Create # monitor} other {Create # monitors}}", { count })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export default PasteMany
