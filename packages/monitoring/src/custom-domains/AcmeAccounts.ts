/** The installation's accounts with certificate authorities: one for each directory, shared by all servers. */
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { AcmeAccountRepository } from "./AcmeAccountRepository.ts"
import { CertificateKeys } from "./CertificateKeys.ts"

interface AcmeAccount {
  /** PEM. */
  readonly key: Redacted.Redacted
  /** Undefined until the account is registered. */
  readonly url: string | undefined
}

export class AcmeAccounts extends Context.Service<AcmeAccounts>()("@kanmon/monitoring/custom-domains/AcmeAccounts", {
  make: Effect.gen(function* () {
    const repository = yield* AcmeAccountRepository
    const keys = yield* CertificateKeys

    const find = Effect.fnUntraced(function* (directory: string) {
      const row = yield* repository.find(directory)
      const key = row === undefined ? undefined : keys.decrypt(row.keyEncrypted, `acme account:${directory}`)
      return { row, account: key === undefined ? undefined : { key, url: row?.url ?? undefined } }
    })

    /** The account, created with `newKey` if there is none that can be decrypted. If several servers create it, one key wins. */
    const open: (directory: string, newKey: Effect.Effect<Redacted.Redacted>) => Effect.Effect<AcmeAccount> = Effect.fn(
      "AcmeAccounts.open"
    )(function* (directory, newKey) {
      const known = yield* find(directory)
      if (known.account !== undefined) return known.account
      const key = yield* newKey
      const encrypted = keys.encrypt(key, `acme account:${directory}`)
      yield* repository.saveKey(directory, encrypted, known.row?.keyEncrypted ?? null, yield* Clock.currentTimeMillis)
      return (yield* find(directory)).account ?? { key, url: undefined }
    })

    return {
      open,
      /** Stores the account's address at the authority; undefined when the authority does not know the account. */
      registered: (directory: string, url: string | undefined) => repository.setUrl(directory, url ?? null),
      /** Has all servers send no orders to the authority until then. */
      rest: repository.extendRest,
      /** Until when no orders are sent; null when they may be. */
      restingUntil: Effect.fnUntraced(function* (directory: string) {
        const until = (yield* repository.find(directory))?.restingUntil ?? null
        return until !== null && until > (yield* Clock.currentTimeMillis) ? until : null
      })
    }
  })
}) {
  static readonly layer = Layer.effect(AcmeAccounts, AcmeAccounts.make).pipe(
    Layer.provide([AcmeAccountRepository.layer, CertificateKeys.layer])
  )
}
