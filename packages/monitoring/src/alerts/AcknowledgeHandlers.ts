/**
 * The page behind the link that acknowledges. `GET` only shows it, because mail scanners follow links and browsers load pages ahead;
 * its button posts to the same address.
 */
import { stateInWords, stateOf } from "@kanmon/domain/AlertHandling"
import { localInstant } from "@kanmon/domain/TimeZone"
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import * as FormPage from "@kanmon/platform/http/FormPage"
import { DirectRoutes } from "@kanmon/protocol/DirectApi"
import { Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentActor } from "@kanmon/platform/CurrentActor"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import { CredentialLookups } from "@kanmon/platform/http/CredentialLookups"
import { clientIp, networkOf } from "@kanmon/platform/http/RequestInfo"
import type { LinkedAlert } from "./LinkRepository.ts"
import { AcknowledgeLinks, type LinkedDelivery, type LinkedTest } from "./AcknowledgeLinks.ts"

export const layer = HttpApiBuilder.group(
  DirectRoutes,
  "acknowledgements",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* AcknowledgeLinks
    const lookups = yield* CredentialLookups
    const context = yield* Effect.context<ApiSettings>()

    const show = Effect.gen(function* () {
      const presented = yield* token
      const looked = lookups.look(networkOf(yield* clientIp), presented, links.look(presented))
      const found = yield* Effect.result(looked)
      if (found._tag === "Success") return question(found.success, yield* place)
      return found.failure._tag === "LinkInvalid" ? invalid : tooMany(found.failure.detail)
    })

    const act = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      // A prefetch only gets the page: it must not acknowledge.
      if (/prefetch|prerender/i.test(`${request.headers["sec-purpose"] ?? ""} ${request.headers["purpose"] ?? ""}`))
        return yield* show
      const from = { ...(yield* CurrentActor), address: yield* clientIp }
      const used = yield* Effect.result(Effect.provideService(links.use(yield* token), CurrentActor, from))
      const refused = used._tag === "Failure" ? used.failure : undefined
      if (refused?._tag === "LinkInvalid") return invalid
      // The state as it is now, also for the second of two people.
      const found = yield* Effect.result(links.look(yield* token))
      if (found._tag === "Failure") return invalid
      const now = yield* place
      if (found.success.test !== null) return ofTest(refused === undefined ? 200 : 409, found.success.test, now)
      return refused === undefined
        ? present(200, found.success, { ...now, title: "Acknowledged", paragraphs: [] })
        : present(409, found.success, { ...now, title: "Nothing was changed", paragraphs: [`${refused.detail}.`] })
    })

    return handlers
      .handleRaw("show", () => Effect.provideContext(show, context))
      .handleRaw("acknowledge", () => Effect.provideContext(act, context))
  })
)

const place = Effect.zipWith(ApiSettings, Clock.currentTimeMillis, ({ baseUrl }, now): Place => ({ baseUrl, now }))

const token = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")

const page = (status: number, content: FormPage.FormPage) =>
  HttpServerResponse.text(FormPage.html(content), { status, headers: FormPage.headers })

/** Alerts that a page names; the others are counted. */
const named = 20

const tones = { open: "down", snoozed: "quiet", acknowledged: "quiet", resolved: "up" } as const

const stateAt =
  (now: EpochMillis) =>
  (alert: LinkedAlert): FormPage.PageState => ({
    tone: tones[stateOf(alert, now)],
    name: alert.reason === "" ? alert.monitorName : `${alert.monitorName}: ${alert.reason}`,
    lines: [
      stateInWords(alert, now, (time) => localInstant(time, alert.timezone)),
      ...(alert.note === null ? [] : [alert.note])
    ]
  })

const about = ({ alerts }: LinkedDelivery, now: EpochMillis) => ({
  states: alerts.slice(0, named).map(stateAt(now)),
  closing: alerts.length > named ? [`… and ${alerts.length - named} more`] : []
})

/** The next step for the alerts of a page. */
const nextStep = ({ alerts }: LinkedDelivery, now: EpochMillis): string => {
  const states = alerts.map((alert) => stateOf(alert, now))
  if (states.every((state) => state === "resolved")) return "There is nothing left to do. You can close this page."
  if (states.includes("open")) return "To acknowledge what is open, use the link of the next reminder, or sign in."
  return `${stoppedWords(alerts)} To leave a note or take it back, sign in.`
}

const stoppedWords = (alerts: ReadonlyArray<LinkedAlert>): string => {
  if (alerts.some(({ escalation }) => escalation?.isStopped))
    return ["Reminders and the escalation have stopped: no one else is woken.", ...exceptions(alerts)].join(" ")
  return alerts.some(({ escalation }) => escalation?.isRunning)
    ? "Reminders and the escalation wait for the end of the snooze."
    : "Reminders have stopped."
}

/** The effect of an acknowledgement on alerts. */
const effectOf = (alerts: ReadonlyArray<LinkedAlert>): string =>
  alerts.some(({ escalation }) => escalation?.isRunning)
    ? [
        "Reminders and the escalation stop: no one else is woken. Everyone sees that the alert is being handled.",
        ...exceptions(alerts)
      ].join(" ")
    : "Reminders end, and everyone sees that the alert is being handled. Nothing else changes."

/** Pages that may follow an acknowledgement. */
const exceptions = (alerts: ReadonlyArray<LinkedAlert>): ReadonlyArray<string> => {
  const minutes = alerts.flatMap(({ escalation }) => escalation?.timeoutMinutes ?? [])
  return [
    ...(minutes.length === 0
      ? []
      : [
          `If the alert is still open ${Math.min(...minutes)} minutes after the acknowledgement, the escalation goes on.`
        ]),
    ...(alerts.some(({ escalation }) => escalation?.asksPeople)
      ? ["People who were asked for help are paged until they answer."]
      : [])
  ]
}

/** Where the dashboard shows the alerts. */
const linkTo = ({ alerts, projectId }: LinkedDelivery, baseUrl: string) =>
  alerts.length === 1
    ? { href: `${baseUrl}/alerts/${alerts[0]!.id}?project=${projectId}`, label: "Open the alert" }
    : { href: `${baseUrl}/alerts?project=${projectId}`, label: "Open the alerts" }

/** The present state, without a button. */
const present = (
  status: number,
  found: LinkedDelivery,
  { baseUrl, now, paragraphs, title }: { title: string; paragraphs: ReadonlyArray<string> } & Place
) => {
  const { closing, states } = about(found, now)
  return page(status, {
    title,
    paragraphs,
    states,
    closing: [...closing, nextStep(found, now)],
    link: linkTo(found, baseUrl)
  })
}

interface Place {
  readonly baseUrl: string
  readonly now: EpochMillis
}

const testTitles = {
  running: "Acknowledge this test?",
  acknowledged: "The test is acknowledged",
  unanswered: "The test is over",
  unreached: "The test is over"
} as const

/** The page of a test: its button while it runs, then its result. */
const ofTest = (status: number, { state }: LinkedTest, { baseUrl }: Place) => {
  const isRunning = state === "running"
  return page(status, {
    title: testTitles[state],
    paragraphs: [
      isRunning
        ? "You pressed “Page me now”: this page reached you as a real one would. An acknowledgement ends the test, and no further method is tried."
        : state === "acknowledged"
          ? "The page reached you, and your answer arrived. No further method is tried."
          : "It was not acknowledged in time. Start another one to try again."
    ],
    states: [],
    closing: [],
    ...(isRunning
      ? { form: { fields: [], button: "Acknowledge" } }
      : { link: { href: `${baseUrl}/settings/notifications`, label: "Open your notifications" } })
  })
}

const question = (found: LinkedDelivery, place: Place) => {
  if (found.test !== null) return ofTest(200, found.test, place)
  const { now } = place
  const waiting = found.alerts.filter((alert) => isAcknowledgeable(alert, now))
  if (found.isLinkUsed) return present(200, found, { ...place, title: "This link was already used", paragraphs: [] })
  if (waiting.length === 0) {
    const isOver = found.alerts.every(({ resolvedAt }) => resolvedAt !== null)
    return present(200, found, {
      ...place,
      title: isOver ? overTitle(found) : "Already acknowledged",
      paragraphs: []
    })
  }
  const { closing, states } = about(found, now)
  return page(200, {
    title: waiting.length === 1 ? "Acknowledge this alert?" : `Acknowledge these ${waiting.length} alerts?`,
    paragraphs: [],
    states,
    closing: [...closing, effectOf(waiting)],
    form: { fields: [], button: "Acknowledge" }
  })
}

const overTitle = ({ alerts }: LinkedDelivery): string =>
  alerts.length === 1 ? "The alert is over" : "The alerts are over"

const isAcknowledgeable = (alert: LinkedAlert, now: EpochMillis): boolean =>
  ["open", "snoozed"].includes(stateOf(alert, now))

const tooMany = (detail: string) => page(429, { title: "Too many requests", paragraphs: [detail] })

const invalid = page(404, {
  title: "This link is not valid",
  paragraphs: [
    "It is older than seven days, or incomplete. The next reminder has a new one; you can also sign in and acknowledge the alert there."
  ]
})
