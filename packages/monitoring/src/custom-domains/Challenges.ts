/**
 * Answers to the HTTP-01 challenges of certificate authorities. They are stored in the database, since the authority may
 * reach another server than the one that placed the order.
 * @see https://www.rfc-editor.org/rfc/rfc8555#section-8.3
 */
import { Clock, Context, Effect, Layer } from "effect"
import { ChallengeRepository } from "./ChallengeRepository.ts"

export class Challenges extends Context.Service<Challenges>()("@kanmon/monitoring/custom-domains/Challenges", {
  make: Effect.map(ChallengeRepository, (repository) => ({
    put: repository.save,
    remove: repository.delete,
    /** The answer to a challenge for this domain that has not expired. */
    answer: (domain: string, token: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => repository.findAnswer(domain, token, now)),
    /** Deletes expired challenges, which interrupted orders have left. */
    prune: Effect.flatMap(Clock.currentTimeMillis, repository.deleteExpired)
  }))
}) {
  static readonly layer = Layer.effect(Challenges, Challenges.make).pipe(Layer.provide(ChallengeRepository.layer))
}
