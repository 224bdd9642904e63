/** Invitations over HTTP: each handler only translates, and sends the mail. */
import type { DeliveryError } from "@kanmon/core/Channel"
import { Mailer } from "../mails/index.ts"
import { decodeStrict } from "@kanmon/domain/FieldErrors"
import type { UserId } from "@kanmon/domain/Ids"
import { localeFor } from "@kanmon/domain/Locale"
import { invitationDays } from "@kanmon/domain/Organization"
import { Api } from "@kanmon/protocol/Api"
import { CallerOrganization, CallerUser } from "@kanmon/protocol/Middleware"
import { InvitationRequest } from "@kanmon/protocol/OrganizationBody"
import { Problem } from "@kanmon/protocol/Problem"
import { Clock, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Allowances } from "@kanmon/platform/database/Allowances"
import { ApiSettings } from "@kanmon/platform/http/ApiSettings"
import * as Payload from "@kanmon/platform/http/Payload"
import * as RecentProof from "@kanmon/platform/http/RecentProof"
import * as Mails from "../mails/index.ts"
import { AccountRepository } from "../users/index.ts"
import { Invitations, type SentInvitation } from "./Invitations.ts"
import { refusing } from "./OrganizationProblems.ts"
import { Organizations } from "./Organizations.ts"

const draftIn = Payload.read(decodeStrict(InvitationRequest))

/** Invitations that one account may send in an hour: each is a mail to somebody who did not ask for it. */
const perHour = { limit: 50, periodMillis: 3_600_000 }

const undelivered = ({ reason }: DeliveryError): Problem<"delivery_failed" | "rate_limited"> =>
  reason._tag === "Throttled"
    ? new Problem({ code: "rate_limited", detail: reason.detail, retryAfter: reason.retryAfter ?? 60 })
    : new Problem({
        code: "delivery_failed",
        detail: `The invitation is kept, but its mail could not be sent: ${reason.detail}`
      })

const invitations = HttpApiBuilder.group(
  Api,
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const invitations = yield* Invitations
    const accounts = yield* AccountRepository
    const allowances = yield* Allowances
    const mailer = yield* Mailer
    const { baseUrl } = yield* ApiSettings

    const claim = Effect.fnUntraced(function* (userId: UserId) {
      const taken = yield* allowances.take([{ key: `invitations:${userId}`, rate: perHour }])
      if (taken._tag === "Allowed") return
      const wait = Math.ceil((taken.nextAt - (yield* Clock.currentTimeMillis)) / 1000)
      return yield* new Problem({
        code: "rate_limited",
        detail: `Your account sent ${perHour.limit} invitations within an hour; wait ${wait} s`,
        retryAfter: wait
      })
    })

    const mail = Effect.fnUntraced(function* ({ invitation, token }: SentInvitation) {
      const { email, id, invitedBy, organizationName, role, sentAt } = invitation
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const letter = {
        kind: "invitation",
        organization: organizationName,
        invitedBy: invitedBy.name,
        role,
        link: `${baseUrl}/invitation?token=${token}`,
        days: invitationDays
      } as const
      const locale = localeFor((yield* accounts.localeOf(email))?.locale, headers["accept-language"])
      const message = Mails.compose(letter, { id: `${id}-${sentAt}`, locale, baseUrl })
      yield* Effect.mapError(mailer.send(email, message, "asked"), undelivered)
      return invitation
    })

    const inviter = Effect.map(CallerUser, ({ userId }) => ({ userId, needsVerified: mailer.configured }))

    return handlers.handleAll({
      list: () => Effect.flatMap(CallerOrganization, invitations.list),
      create: ({ payload }) =>
        Effect.gen(function* () {
          const draft = yield* draftIn(payload)
          yield* RecentProof.requiredFor(draft.role)
          const by = yield* inviter
          yield* claim(by.userId)
          return yield* mail(yield* invitations.create(yield* CallerOrganization, by, draft))
        }).pipe(refusing),
      revoke: ({ params }) =>
        Effect.gen(function* () {
          yield* invitations.revoke(yield* CallerOrganization, (yield* CallerUser).userId, params.invitationId)
          return { id: params.invitationId, deleted: true as const }
        }).pipe(refusing),
      resend: ({ params }) =>
        Effect.gen(function* () {
          const by = yield* inviter
          yield* claim(by.userId)
          return yield* mail(yield* invitations.renew(yield* CallerOrganization, by, params.invitationId))
        }).pipe(refusing)
    })
  })
).pipe(Layer.provide(AccountRepository.layer))

const offers = HttpApiBuilder.group(
  Api,
  "invitationOffers",
  Effect.fnUntraced(function* (handlers) {
    const invitations = yield* Invitations
    const organizations = yield* Organizations
    return handlers.handleAll({
      get: ({ params }) => refusing(invitations.offer(params.token)),
      accept: ({ params }) =>
        Effect.gen(function* () {
          const { email, userId } = yield* CallerUser
          const organizationId = yield* invitations.accept(params.token, { userId, email })
          return yield* Effect.orDie(organizations.get(organizationId, userId))
        }).pipe(refusing),
      decline: ({ params }) => invitations.decline(params.token).pipe(Effect.as({ declined: true as const }), refusing)
    })
  })
)

export const layer = Layer.mergeAll(invitations, offers)
