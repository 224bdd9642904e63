/** The recipients and destinations of contact methods, according to the plugins' kinds. */
import { Catalogue } from "@kanmon/core/PluginHost"
import { type Recipient, recipientsOf } from "@kanmon/core/Recipient"
import { InvalidFields } from "@kanmon/domain/FieldErrors"
import { Effect, type Result } from "effect"
import { type ContactMethod, type ContactMethodDraft, named } from "./ContactMethodRecords.ts"
import { ContactMethods } from "./ContactMethods.ts"
import * as PersonNumbers from "./PersonNumbers.ts"

type Fields = Pick<ContactMethod, "name" | "type" | "config">

export const make = Effect.gen(function* () {
  const { channels } = yield* Catalogue
  const { countedAs } = yield* ContactMethods
  const objectionTo = yield* PersonNumbers.make
  /** The kinds that contact methods may have. */
  const kinds = new Map([...channels].filter(([, { reachesPerson }]) => reachesPerson === true))

  const recipientsIn = ({ config, type }: Pick<Fields, "config" | "type">): ReadonlyArray<Recipient> => {
    const kind = channels.get(type)
    return kind === undefined ? [] : recipientsOf(kind, config)
  }

  /** Where a method leads, without what only opens the door there: a changed token is not another destination. */
  const destinationOf = ({ config, type }: Fields): string => {
    const [recipient] = recipientsIn({ config, type })
    if (recipient !== undefined) return countedAs(recipient.counted)
    const secrets = new Set(channels.get(type)?.secrets)
    const open = Object.entries(config).filter(([field]) => !secrets.has(field))
    return countedAs(`${type}:${JSON.stringify(open.length === 0 ? config : open)}`)
  }

  /** Why a person may not have this method; undefined when they may. */
  const objection = Effect.fnUntraced(function* (fields: Fields) {
    const [recipient, ...others] = recipientsIn(fields)
    const declared = kinds.get(fields.type)?.recipient
    if (others.length > 0)
      return {
        path: `config.${declared?.more}`,
        message: "Expected one recipient: a contact method reaches one person"
      }
    const message = recipient?.kind === "phone" ? yield* objectionTo(fields.type, recipient.text) : undefined
    return message === undefined ? undefined : { path: `config.${declared?.field}`, message }
  })

  return {
    kinds,
    named: named(channels),
    /** The one whom messages reach, where the type names one. */
    recipientOf: (method: Pick<Fields, "config" | "type">): Recipient | undefined => recipientsIn(method)[0],
    /** The person's input in its stored form. */
    draftOf: (decoded: Result.Result<Fields, InvalidFields>): Effect.Effect<ContactMethodDraft, InvalidFields> =>
      Effect.gen(function* () {
        const { config, name, type } = yield* Effect.fromResult(decoded)
        const error = yield* objection({ config, name, type })
        if (error !== undefined) return yield* new InvalidFields({ errors: [error] })
        return { config, name, type, destination: destinationOf({ config, name, type }) }
      })
  }
})
