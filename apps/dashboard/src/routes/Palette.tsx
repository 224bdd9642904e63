/** The palette: every page, every record and every action of the page, found by typing. Keyboard pattern: WAI-ARIA combobox. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react"
import { Dialog, Modal, ModalOverlay } from "react-aria-components"
import { channelsQuery } from "../api/channels.ts"
import { useOrganization } from "../api/organizations.ts"
import { isOfOrganization, type Permission, permits } from "../api/permissions.ts"
import { storedAs } from "../browser/place.ts"
import { isCoarse } from "../browser/pointer.ts"
import { usePolicies } from "../api/policies.ts"
import { rulesQuery } from "../api/rules.ts"
import { useOnCall, usePeople } from "../features/on-call/queries.ts"
import { personName } from "../features/on-call/words.ts"
import { statusPagesQuery } from "../features/status-pages/queries.ts"
import { useProjectData } from "../live/ProjectData.tsx"
import { t } from "../locales/text.ts"
import { classes } from "../ui/classes.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { Shape, toneOf, wordOf } from "../ui/Status.tsx"
import { useKnownShortcuts } from "../ui/shortcuts.ts"
import type { Status } from "../ui/statusOrder.ts"
import { creationWord, openCreation, useMayCreate } from "./creation.ts"
import { type Entry, index, search } from "./paletteSearch.ts"

interface Command extends Entry {
  readonly icon?: IconName
  readonly status?: Status
  readonly run: () => unknown
}

/** More are found by typing more. */
const maxShown = 50
const maxRecent = 6
const recentKey = storedAs("kanmon.palette")

const recent = (): ReadonlyArray<string> => {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(recentKey) ?? "[]")
    return Array.isArray(known) ? known.filter((id) => typeof id === "string") : []
  } catch {
    return []
  }
}

const remember = (id: string): void =>
  localStorage.setItem(recentKey, JSON.stringify([id, ...recent().filter((each) => each !== id)].slice(0, maxRecent)))

const useCommands = (): ReadonlyArray<Command> => {
  const { project, store } = useProjectData()
  const organization = useOrganization()
  const navigate = useNavigate()
  const shortcuts = useKnownShortcuts()
  const { data: pages } = useQuery(statusPagesQuery(project))
  const { data: channels } = useQuery(channelsQuery(project))
  const { data: rules } = useQuery(rulesQuery(project))
  const { data: policies } = usePolicies()
  const { data: onCall } = useOnCall()
  const people = usePeople()
  const mayCreate = useMayCreate()
  // Keeps the results of the moment in which the palette opened, because a list that moves under the hand is of no use.
  return useMemo(() => {
    const may = (permission: Permission) => {
      const role = isOfOrganization(permission) ? organization?.role : project.role
      return role !== undefined && permits(role, permission)
    }
    const to = [
      ["/", "now", t("Now")],
      ["/monitors", "monitors", t("Monitors")],
      ["/alerts", "alerts", t("Alerts")],
      ["/on-call", "onCall", t("On-call")],
      ["/on-call/drills", "onCall", t("Drills")],
      ["/incidents", "incidents", t("Incidents")],
      ["/status-pages", "pages", t("Status pages")],
      ["/channels", "channels", t("Channels and rules")],
      ["/integrations", "channels", t("Integrations")],
      ["/silences", "alerts", t("Silences")],
      ["/settings", "settings", t("Settings")],
      ["/settings/account", "account", t("Account")],
      ["/settings/notifications", "channels", t("Notifications")],
      ["/settings/organization", "settings", t("Organization")],
      ["/settings/members", "account", t("Members")],
      ["/settings/sign-on", "settings", t("Single sign-on"), "sso.read"],
      ["/settings/audit", "settings", t("Audit log"), "audit.read"],
      ["/settings/billing", "settings", t("Billing"), "billing.read"],
      ["/settings/installation", "settings", t("Installation")],
      ["/import", "plus", t("Import from Uptime Kuma"), "monitors.write"],
      ["/monitors/new", "plus", t("New monitor"), "monitors.write"],
      ["/incidents/new", "plus", t("New incident"), "incidents.write"],
      ["/status-pages/new", "plus", t("New status page"), "statusPages.write"],
      ["/on-call/schedules/new", "plus", t("New schedule"), "schedules.write"],
      ["/on-call/policies/new", "plus", t("New escalation policy"), "escalationPolicies.write"],
      ["/rules/new", "plus", t("New rule"), "alertRules.write"]
    ] as const
    const known: ReadonlyArray<Command> = [
      // Pages have their own entries.
      ...shortcuts
        // On a phone there are no keys to show.
        .filter(({ keys }) => !/^(g|⌘) |\+/.test(keys) && (keys !== "?" || !isCoarse))
        .map(({ keys, label, run }) => ({ id: `action ${keys}`, kind: "action" as const, label, keys, run })),
      ...to
        .filter(([, , , permission]) => permission === undefined || may(permission))
        .map(([to, icon, label]) => ({ id: to, kind: "page" as const, label, icon, run: () => navigate({ to }) })),
      ...mayCreate.map((creation) => ({
        id: `new ${creation}`,
        kind: "page" as const,
        label: creationWord(creation),
        icon: "plus" as const,
        run: () => openCreation(creation)
      })),
      ...[...store.monitors.values()].map(({ id, name, status, target }) => ({
        id,
        kind: "monitor" as const,
        label: name,
        detail: target ?? undefined,
        status,
        isUrgent: status === "down" || status === "degraded",
        run: () => navigate({ to: "/monitors/$id", params: { id } })
      })),
      ...(pages ?? []).map(({ id, name }) => ({
        id,
        kind: "status-page" as const,
        label: name,
        icon: "pages" as const,
        run: () =>
          may("statusPages.write")
            ? navigate({ to: "/status-pages/$id", params: { id } })
            : navigate({ to: "/status-pages" })
      })),
      ...(channels ?? []).map(({ id, name }) => ({
        id,
        kind: "channel" as const,
        label: name,
        icon: "channels" as const,
        run: () =>
          may("channels.write") ? navigate({ to: "/channels/$id", params: { id } }) : navigate({ to: "/channels" })
      })),
      ...(onCall ?? []).flatMap(({ scheduleId, scheduleName, userId }): ReadonlyArray<Command> => {
        const open = (search: { readonly take?: true }) => () =>
          navigate({ to: "/on-call/schedules/$id", params: { id: scheduleId }, search })
        const detail = people === undefined ? undefined : personName(people, userId)
        return [
          { id: scheduleId, kind: "schedule", label: scheduleName, detail, icon: "onCall", run: open({}) },
          ...(may("schedules.override")
            ? [
                {
                  id: `take ${scheduleId}`,
                  kind: "schedule" as const,
                  label: t("I take over {schedule}", { schedule: scheduleName }),
                  icon: "onCall" as const,
                  run: open({ take: true })
                }
              ]
            : [])
        ]
      }),
      ...(policies ?? []).map(({ id, name }) => ({
        id,
        kind: "policy" as const,
        label: name,
        icon: "onCall" as const,
        run: () => navigate({ to: "/on-call/policies/$id", params: { id } })
      })),
      ...(rules ?? []).map(({ id, name }) => ({
        id,
        kind: "rule" as const,
        label: name,
        icon: "alerts" as const,
        run: () =>
          may("alertRules.write") ? navigate({ to: "/rules/$id", params: { id } }) : navigate({ to: "/channels" })
      }))
    ]
    return known
  }, [
    channels,
    mayCreate,
    navigate,
    onCall,
    organization,
    pages,
    people,
    policies,
    project.role,
    rules,
    shortcuts,
    store
  ])
}

const kindWord: Record<Entry["kind"], () => string> = {
  action: () => t("On this page"),
  page: () => t("Page"),
  monitor: () => t("Monitor"),
  "status-page": () => t("Status page"),
  channel: () => t("Channel"),
  rule: () => t("Rule"),
  schedule: () => t("Schedule|on-call"),
  policy: () => t("Escalation policy")
}

const Row = ({ command: { detail, icon, keys, kind, label, status } }: { readonly command: Command }) => (
  <>
    {status === undefined ? (
      <Icon name={icon ?? "chevron"} className={classes("shrink-0 text-soft", icon === undefined && "-rotate-90")} />
    ) : (
      <>
        <Shape tone={toneOf(status)} />
        <span className="sr-only">{wordOf(status)}</span>
      </>
    )}
    <bdi className="truncate font-medium">{label}</bdi>
    {detail !== undefined && <bdi className="min-w-0 flex-1 truncate text-soft max-sm:hidden">{detail}</bdi>}
    <span className="ms-auto shrink-0 text-small text-soft">
      {keys === undefined ? (
        kindWord[kind]()
      ) : (
        <kbd className="pointer-coarse:hidden rounded-sm border border-line px-1.5 font-sans">{keys}</kbd>
      )}
    </span>
  </>
)

const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const commands = useCommands()
  const [text, setText] = useState("")
  const [place, setPlace] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const id = useId()
  const typed = useDeferredValue(text)
  const indexed = useMemo(() => index(commands), [commands])
  const [known] = useState(recent)
  const found = useMemo(() => search(indexed, typed, known, maxShown), [indexed, known, typed])
  const at = Math.min(place, found.length - 1)

  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [at, found])

  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    if (command.kind !== "action") remember(command.id)
    onClose()
    // The page has its focus back when an action runs.
    requestAnimationFrame(() => void command.run())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is composed, Enter and the arrows belong to the input method.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) setPlace(Math.max(0, Math.min(found.length - 1, at + step)))
    // The list may be a moment behind what is typed.
    else if (event.key === "Enter") choose(typed === text ? found[at] : search(indexed, text, known, 1)[0])
    else return
    event.preventDefault()
  }

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="fixed inset-0 z-40 flex justify-center bg-[rgb(0_0_0/.45)] p-3 sm:pt-[12vh]"
    >
      <Modal className="flex h-fit max-h-[min(32rem,100%)] w-full max-w-xl flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-[0_16px_60px_rgb(0_0_0/.3)]">
        <Dialog aria-label={t("Search and commands")} className="flex min-h-0 flex-col outline-none">
          <div className="flex items-center gap-3 border-b border-line px-4">
            <Icon name="search" className="shrink-0 text-soft" />
            <input
              role="combobox"
              aria-label={t("Search and commands")}
              aria-expanded
              aria-controls={`${id}list`}
              aria-autocomplete="list"
              aria-activedescendant={found.length === 0 ? undefined : `${id}${at}`}
              placeholder={t("Monitors, pages, actions…")}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setPlace(0)
              }}
              onKeyDown={onKeyDown}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              className="min-h-12 w-full bg-transparent text-base text-ink outline-none placeholder:text-soft"
            />
          </div>
          <ul
            ref={list}
            id={`${id}list`}
            role="listbox"
            aria-label={t("Results")}
            className="min-h-0 overflow-auto p-1.5"
          >
            {found.map((command, position) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys of its options
              <li
                key={command.id}
                id={`${id}${position}`}
                role="option"
                aria-selected={position === at}
                onPointerMove={() => setPlace(position)}
                onClick={() => choose(command)}
                className="flex min-h-10 cursor-default items-center gap-3 rounded-lg px-3 text-sm aria-selected:bg-accent/12 pointer-coarse:min-h-11"
              >
                <Row command={command} />
              </li>
            ))}
          </ul>
          <p role="status" className={found.length === 0 ? "px-4 pb-5 text-center text-sm text-soft" : "sr-only"}>
            {found.length === 0
              ? t("Nothing matches")
              : t("{count, plural, one {# result} other {# results}}", { count: found.length })}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

export default Palette
