/**
 * Takes the bodies that senders post. The alerts of a body and the time at which its sender was heard are one transaction, and what was
 * not understood is kept for people to look at, also when nothing was.
 */
import * as JsonText from "@kanmon/core/JsonText"
import { type FieldError, InvalidFields } from "@kanmon/domain/FieldErrors"
import { nextInboundBodyId } from "@kanmon/domain/Ids"
import { quietKey, readInbound } from "@kanmon/domain/InboundAlerts"
import { keptBodyLength } from "@kanmon/domain/Integration"
import { clipped } from "@kanmon/domain/Line"
import * as BodyBounds from "@kanmon/platform/http/BodyBounds"
import { hashToken } from "@kanmon/platform/database/Secrets"
import { Transaction } from "@kanmon/platform/Transaction"
import { mask } from "@kanmon/platform/LogMask"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { ExternalAlerts } from "../alerts/index.ts"
import { IntegrationRepository, type Sender } from "./IntegrationRepository.ts"

/** JSON values of a body: some 60 for each alert. */
const mostValues = 60_000

/** Integrations of one transaction that became silent. */
const quietBatch = 50

/** What became of a body; undefined without an integration of the token. */
interface Taken {
  readonly received: number
  /** What was not taken; everything when `refused`. */
  readonly errors: ReadonlyArray<FieldError>
  readonly refused: boolean
}

const parsed = (text: string): Result.Result<unknown, InvalidFields> => {
  const objection = BodyBounds.objection(text, mostValues)
  const body = objection === undefined ? JsonText.parse(text) : undefined
  return body === undefined
    ? Result.fail(new InvalidFields({ errors: [{ path: "", message: objection ?? "Expected JSON" }] }))
    : Result.succeed(body)
}

export class Inbound extends Context.Service<Inbound>()("@kanmon/monitoring/integrations/Inbound", {
  make: Effect.gen(function* () {
    const repository = yield* IntegrationRepository
    const alerts = yield* ExternalAlerts
    const transaction = yield* Transaction
    const random = yield* SecureRandom.SecureRandom
    const nextId = Effect.provideService(nextInboundBodyId, SecureRandom.SecureRandom, random)

    const keep = Effect.fnUntraced(function* (
      { id }: Sender,
      text: string,
      errors: ReadonlyArray<FieldError>,
      refused: boolean
    ) {
      if (errors.length === 0) return
      // PostgreSQL cannot store a null character; half a character is none.
      const body = mask(clipped(text, keptBodyLength)).replaceAll("\u0000", "\uFFFD").toWellFormed()
      const kept = { at: yield* Clock.currentTimeMillis, refused, errors, truncated: text.length > keptBodyLength }
      yield* repository.keep(id, yield* nextId, { ...kept, body: clipped(body, keptBodyLength) })
    })

    /** Takes a body as the sender with this token. */
    const take = Effect.fn("Inbound.take")(function* (token: string, text: string, baseUrl: string) {
      const hash = hashToken(token)
      const integration = yield* repository.lockOfToken(hash)
      if (integration === undefined) return undefined
      const read = Result.flatMap(parsed(text), (body) => readInbound(integration.type, integration.mapping, body))
      if (Result.isFailure(read)) {
        const { errors } = read.failure
        yield* keep(integration, text, errors, true)
        return { received: 0, errors, refused: true } satisfies Taken
      }
      const { alerts: sent, warnings } = read.success
      yield* repository.heard(integration, yield* Clock.currentTimeMillis)
      const ending = integration.quiet ? [quietAlert(integration, "resolved")] : []
      const untaken = yield* alerts.receive(integration, [...ending, ...sent], baseUrl)
      const errors = [...warnings, ...untaken]
      yield* keep(integration, text, errors, false)
      return { received: sent.length, errors, refused: false } satisfies Taken
    }, transaction.run)

    /** Opens alerts about integrations that have been silent for too long; returns how many. */
    const noticeSilence = (baseUrl: string) =>
      Effect.gen(function* () {
        const quiet = yield* repository.takeQuiet(yield* Clock.currentTimeMillis, quietBatch)
        for (const integration of quiet)
          // It does not resolve after a while: the silence goes on.
          yield* alerts.receive(
            { ...integration, resolveAfterMinutes: null },
            [quietAlert(integration, "firing")],
            baseUrl
          )
        return quiet.length
      }).pipe(transaction.run, Effect.withSpan("Inbound.noticeSilence"))

    return { take, noticeSilence, known: (token: string) => repository.hasToken(hashToken(token)) }
  })
}) {
  static readonly layer = Layer.effect(Inbound, Inbound.make)
}

/** The alert that an integration is silent. */
const quietAlert = ({ name, quietAfterMinutes }: Sender, status: "firing" | "resolved") => ({
  key: quietKey,
  status,
  title: clipped(`${name} is silent`, 200),
  severity: "warning" as const,
  description:
    status === "firing"
      ? `Nothing has come from ${name} for ${quietAfterMinutes} min: it may be down, or cannot reach Kanmon`
      : `${name} sends again`,
  link: null,
  labels: {}
})
