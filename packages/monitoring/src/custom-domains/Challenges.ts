/**
 * Answers to the HTTP-01 challenges of certificate authorities. They are stored in the database, since the authority may
 * reach another server than the one that placed the order.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-8.3
 */
import { Clock, Context, Effect, Layer } from "effect"
import { type Challenge, ChallengeRepository } from "./ChallengeRepository.ts"

export class Challenges extends Context.Service<
  Challenges,
  {
    readonly put: (challenge: Challenge) => Effect.Effect<void>
    readonly remove: (token: string) => Effect.Effect<void>
    /** The answer to a challenge for this domain that has not expired. */
    readonly answer: (domain: string, token: string) => Effect.Effect<string | undefined>
    /** Deletes expired challenges, which interrupted orders have left. */
    readonly prune: Effect.Effect<void>
  }
>()("@kanmon/monitoring/custom-domains/Challenges") {
  static readonly layer = Layer.effect(
    Challenges,
    Effect.map(ChallengeRepository, (repository) =>
      Challenges.of({
        put: repository.save,
        remove: repository.delete,
        answer: (domain, token) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => repository.findAnswer(domain, token, now)),
        prune: Effect.flatMap(Clock.currentTimeMillis, repository.deleteExpired)
      })
    )
  ).pipe(Layer.provide(ChallengeRepository.layer))
}
