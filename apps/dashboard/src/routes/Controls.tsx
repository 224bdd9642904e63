/** `/dev/ui`, in development only: every control in every state, to look at and to test. Its texts are not translated. */
import { type ReactNode, useState } from "react"
import { type Scheme, setScheme, useScheme } from "../theme/scheme.ts"
import { Button, type ButtonKind, IconButton } from "../ui/Button.tsx"
import { Checkbox, Segments, Select, Switch } from "../ui/Choice.tsx"
import { DayBars } from "../ui/DayBars.tsx"
import { PasswordField, TextField } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, LostConnection, Notice } from "../ui/Notice.tsx"
import { listClass, surfaceClass } from "../ui/classes.ts"
import { NumberField } from "../ui/NumberField.tsx"
import { Dialog, Menu } from "../ui/Overlay.tsx"
import { PageFrame } from "../ui/PageFrame.tsx"
import { Count, Duration, Figure, Quantity } from "../ui/Quantity.tsx"
import { Section as Part } from "../ui/Section.tsx"
import { Stages } from "../ui/Stages.tsx"
import { order, StatusDot } from "../ui/Status.tsx"
import { Refusal, Toast } from "../ui/Toast.tsx"
import { Tooltip } from "../ui/Tooltip.tsx"
import { Ago, Moment } from "../ui/Time.tsx"

const Section = ({ children, title }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="flex flex-col gap-4 border-t border-line py-6">
    <h2>{title}</h2>
    <div className="flex flex-wrap items-start gap-4">{children}</div>
  </section>
)

const kinds: ReadonlyArray<ButtonKind> = ["primary", "plain", "quiet", "danger"]
const schemes: ReadonlyArray<Scheme> = ["system", "light", "dark"]
const options = [
  { id: "http", label: "HTTP", help: "A website or an API" },
  { id: "tcp", label: "TCP", help: "A port that accepts connections" },
  { id: "long", label: "A name that is so long that it does not fit into the field at all" }
]
const hostile = "<b>مرحبا</b> 🚦 " + "Überlang".repeat(20)

const day = (index: number) => ({
  date: new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
  uptime: index < 8 ? null : index % 17 === 0 ? 97 : index % 11 === 0 ? 99.5 : 100,
  downtime: index < 8 ? 0 : index % 17 === 0 ? 2592 : index % 11 === 0 ? 432 : 0
})
const days = Array.from({ length: 90 }, (_, index) => day(index))

const roles = ["ground", "surface", "ink", "soft", "line", "accent", "up", "degraded", "down", "maintenance", "quiet"]
const series = [1, 2, 3, 4, 5].map((place) => `series-${place}`)
const scale = ["text-xs", "text-small", "text-sm", "text-base", "text-lg", "text-xl", "text-3xl"]

/** The states of a part of a page. */
const patterns: ReadonlyArray<readonly [string, ReactNode]> = [
  ["Loading", <div key="loading" aria-busy className="min-h-24 rounded-lg bg-ink/4" />],
  [
    "Empty",
    <p key="empty" className="text-soft">
      No results in this period
    </p>
  ],
  [
    "Failed",
    <Notice key="failed" actions={<Button>Try again</Button>}>
      The server did not answer.
    </Notice>
  ],
  [
    "Refused",
    <Notice key="refused" tone="degraded">
      Your plan checks at most every minute.
    </Notice>
  ],
  ["Offline", <LostConnection key="offline" />],
  [
    "A list",
    <ul key="list" className={listClass}>
      {["Checkout", "Search", hostile].map((name) => (
        <li key={name} className="flex min-h-11 items-center gap-3 px-2">
          <StatusDot status="up" /> <bdi className="truncate">{name}</bdi>
        </li>
      ))}
    </ul>
  ]
]

const Controls = () => {
  const scheme = useScheme()
  const [value, setValue] = useState("http")
  const [isOpen, setOpen] = useState(false)
  const [told, setTold] = useState<"toast" | "refusal" | undefined>(undefined)
  const [isOn, setOn] = useState(true)
  return (
    <main className="mx-auto max-w-5xl px-4 py-8">
      <title>Controls · Kanmon</title>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1>Controls</h1>
        <Segments
          label="Colours"
          value={scheme}
          onChange={(id) => setScheme(id as Scheme)}
          options={schemes.map((id) => ({ id, label: id }))}
        />
      </div>
      <Section title="Colours">
        {[...roles, ...series].map((role) => (
          <figure key={role} className="flex flex-col gap-1 text-small text-soft">
            <svg viewBox="0 0 64 32" className="h-8 w-16 rounded-sm border border-line" aria-hidden="true">
              <rect width="64" height="32" fill={`var(--${role})`} />
            </svg>
            <figcaption>{role}</figcaption>
          </figure>
        ))}
      </Section>
      <Section title="Type">
        {scale.map((size) => (
          <p key={size} className={`w-full ${size}`}>
            {size}: 127.0.0.1 answered 503; expected 200–299
          </p>
        ))}
      </Section>
      <Section title="Numbers">
        <dl className="grid w-full grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure label="Uptime, 30 days">
            <Quantity as="percent" value={99.984} />
          </Figure>
          <Figure label="Response time, 24 hours">
            <Quantity as="millis" value={213.4} />
          </Figure>
          <Figure label="Down, 30 days">
            <Duration seconds={4210} />
          </Figure>
          <Figure label="Monitors">
            <Count value={10_214} />
          </Figure>
          <Figure label="Not known yet">
            <Quantity as="millis" value={null} />
          </Figure>
        </dl>
      </Section>
      <Section title="A page, and its parts">
        <div className={`${surfaceClass} w-full p-8`}>
          <PageFrame
            isNamedByPart
            title={hostile}
            actions={<Button kind="primary">Act</Button>}
            below={<p className="text-sm text-soft">A line below the title</p>}
          >
            {patterns.map(([title, content]) => (
              <Part key={title} title={title} actions={<Button>Act</Button>}>
                {content}
              </Part>
            ))}
          </PageFrame>
        </div>
        <Stages timing={{ dns: 4, connect: 12, tls: 31, firstByte: 120, download: 8 }} />
      </Section>
      <Section title="At the edge of the window">
        <Button onPress={() => setTold("toast")}>Tell how it ended</Button>
        <Button onPress={() => setTold("refusal")}>Tell why it was refused</Button>
        {told === "toast" && <Toast>Checkout is up: 84 ms.</Toast>}
        {told === "refusal" && <Refusal onClose={() => setTold(undefined)}>Somebody else deleted it.</Refusal>}
      </Section>
      <Section title="Buttons">
        {kinds.map((kind) => (
          <div key={kind} className="flex gap-2">
            <Button kind={kind}>{kind}</Button>
            <Button kind={kind}>
              <Icon name="plus" /> with icon
            </Button>
            <Button kind={kind} isDisabled>
              disabled
            </Button>
          </div>
        ))}
        <Tooltip text="More about it">
          <IconButton kind="plain" aria-label="More">
            <Icon name="more" />
          </IconButton>
        </Tooltip>
      </Section>
      <Section title="Fields">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <TextField label="Name" defaultValue={hostile} help="A line of help" />
          <TextField label="URL" placeholder="https://example.org" optional />
          <TextField label="With an error" defaultValue="htp:/x" error="Expected an http or https URL" />
          <TextField label="Disabled" defaultValue="Not now" isDisabled />
          <TextField label="Several lines" rows={3} optional code defaultValue={'{ "a": 1 }'} />
          <PasswordField label="Password" defaultValue="secret" />
          <NumberField label="Interval" unit="seconds" defaultValue={60} help="How often it is checked" />
          <NumberField label="With an error" unit="seconds" defaultValue={5} error="Expected 10 to 86400" />
        </div>
      </Section>
      <Section title="Choices">
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <Select label="Type" options={options} value={value} onChange={setValue} help="A line of help" />
          <Select label="With an error" options={options} value="long" onChange={setValue} error="Not in your plan" />
          <Select label="Disabled" options={options} value="tcp" onChange={setValue} isDisabled />
          <Switch isSelected={isOn} onChange={setOn} help="What it does when it is on">
            Follow redirects
          </Switch>
          <Switch isDisabled>Disabled</Switch>
          <div>
            <Checkbox isSelected={isOn} onChange={setOn}>
              Check box
            </Checkbox>
            <Checkbox isIndeterminate>Some of them</Checkbox>
            <Checkbox isDisabled>Disabled</Checkbox>
          </div>
        </div>
      </Section>
      <Section title="Overlays">
        <Button onPress={() => setOpen(true)}>Open a dialog</Button>
        <Dialog title="Delete this monitor?" isOpen={isOpen} onOpenChange={setOpen} alert>
          <p className="text-soft">This cannot be undone.</p>
          <div className="flex justify-end gap-2">
            <Button onPress={() => setOpen(false)}>Cancel</Button>
            <Button kind="danger" onPress={() => setOpen(false)}>
              Delete
            </Button>
          </div>
        </Dialog>
        <Menu
          label="Actions"
          button={
            <Button>
              Menu <Icon name="chevron" />
            </Button>
          }
          groups={[
            [
              { id: "edit", label: "Edit", icon: <Icon name="edit" />, onAction: () => {} },
              { id: "copy", label: "Copy", icon: <Icon name="copy" />, checked: true, onAction: () => {} },
              { id: "off", label: "Disabled", disabled: true, onAction: () => {} }
            ],
            [{ id: "delete", label: "Delete", danger: true, icon: <Icon name="trash" />, onAction: () => {} }]
          ]}
        />
      </Section>
      <Section title="Status">
        {order.map((status) => (
          <StatusDot key={status} status={status} />
        ))}
        <Ago at={new Date(Date.now() - 95_000).toISOString()} />
        <Moment at="2026-11-20T08:30:00.000Z" />
        <div className="w-full">
          <DayBars days={days} label="Uptime by day" />
        </div>
      </Section>
      <Section title="Messages">
        <div className="flex w-full flex-col gap-3">
          <Notice actions={<Button>Try again</Button>}>It could not be saved.</Notice>
          <Notice tone="degraded">The target is in a private network.</Notice>
          <Notice tone="up">Everything works.</Notice>
          <Notice tone="maintenance">Maintenance begins at 03:00.</Notice>
          <EmptyState title="Nothing is watched yet" actions={<Button kind="primary">Create a monitor</Button>}>
            A monitor checks a website, a server or a job.
          </EmptyState>
        </div>
      </Section>
    </main>
  )
}

export default Controls
