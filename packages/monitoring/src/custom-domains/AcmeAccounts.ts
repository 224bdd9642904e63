/** The installation's accounts with certificate authorities: one for each directory, shared by all servers. */
import type { EpochMillis } from "@kanmon/domain/Timestamp"
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { AcmeAccountRepository } from "./AcmeAccountRepository.ts"
import { CertificateKeys } from "./CertificateKeys.ts"

export interface AcmeAccount {
  /** PEM. */
  readonly key: Redacted.Redacted
  /** Undefined until the account is registered. */
  readonly url: string | undefined
}

export class AcmeAccounts extends Context.Service<
  AcmeAccounts,
  {
    /** The account, created with `newKey` if there is none that can be decrypted. If several servers create it, one key wins. */
    readonly open: (directory: string, newKey: Effect.Effect<Redacted.Redacted>) => Effect.Effect<AcmeAccount>
    /** Stores the account's address at the authority; undefined when the authority does not know the account. */
    readonly registered: (directory: string, url: string | undefined) => Effect.Effect<void>
    /** Has all servers send no orders to the authority until then. */
    readonly rest: (directory: string, until: EpochMillis) => Effect.Effect<void>
    /** Until when no orders are sent; null when they may be. */
    readonly restingUntil: (directory: string) => Effect.Effect<EpochMillis | null>
  }
>()("@kanmon/monitoring/custom-domains/AcmeAccounts") {
  static readonly layer = Layer.effect(
    AcmeAccounts,
    Effect.gen(function* () {
      const repository = yield* AcmeAccountRepository
      const keys = yield* CertificateKeys

      const find = Effect.fnUntraced(function* (directory: string) {
        const row = yield* repository.find(directory)
        const key = row === undefined ? undefined : keys.decrypt(row.keyEncrypted, `acme account:${directory}`)
        return { row, account: key === undefined ? undefined : { key, url: row?.url ?? undefined } }
      })

      const open: AcmeAccounts["Service"]["open"] = Effect.fn("AcmeAccounts.open")(function* (directory, newKey) {
        const known = yield* find(directory)
        if (known.account !== undefined) return known.account
        const key = yield* newKey
        const encrypted = keys.encrypt(key, `acme account:${directory}`)
        yield* repository.saveKey(directory, encrypted, known.row?.keyEncrypted ?? null, yield* Clock.currentTimeMillis)
        return (yield* find(directory)).account ?? { key, url: undefined }
      })

      return AcmeAccounts.of({
        open,
        registered: (directory, url) => repository.setUrl(directory, url ?? null),
        rest: repository.extendRest,
        restingUntil: Effect.fnUntraced(function* (directory) {
          const until = (yield* repository.find(directory))?.restingUntil ?? null
          return until !== null && until > (yield* Clock.currentTimeMillis) ? until : null
        })
      })
    })
  ).pipe(Layer.provide([AcmeAccountRepository.layer, CertificateKeys.layer]))
}
