/** `kanmon organization`: lets the members of one in when its identity provider does not, and what OrganizationPeople.ts does. */
import { SignOnEnforcement } from "@kanmon/identity/sso"
import { OrganizationId } from "@kanmon/domain/Ids"
import { Console, Data, Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as AccountStore from "./AccountStore.ts"
import * as OrganizationPeople from "./OrganizationPeople.ts"

/** The organization was not changed; the message says why. */
class OrganizationUnchanged extends Data.TaggedError("OrganizationUnchanged")<{ readonly message: string }> {}

const decodeId = Schema.decodeUnknownOption(OrganizationId)

const allowPasswords = Command.make(
  "allow-passwords",
  { organization: Argument.String("organization") },
  ({ organization }) =>
    Effect.gen(function* () {
      const id = decodeId(organization)
      if (Option.isNone(id))
        return yield* new OrganizationUnchanged({ message: `${organization} is not the id of an organization (org_…)` })
      const { lift } = yield* SignOnEnforcement
      const outcome = yield* lift(id.value)
      if (outcome === "absent")
        return yield* new OrganizationUnchanged({ message: `There is no organization ${id.value} with single sign-on` })
      yield* Console.log(
        outcome === "lifted"
          ? `Members of ${id.value} may sign in with passwords again. An owner can require single sign-on again in its settings.`
          : `Single sign-on was not required in ${id.value}.`
      )
    }).pipe(Effect.provide(SignOnEnforcement.layer), Effect.provide(AccountStore.layer))
).pipe(Command.withDescription("Lets members sign in with passwords although the organization requires single sign-on"))

export const organization = Command.make("organization").pipe(
  Command.withDescription("Organizations of this installation"),
  Command.withSubcommands([...OrganizationPeople.subcommands, allowPasswords])
)
