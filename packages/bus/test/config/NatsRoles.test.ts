/** The rights of a role, and how a user of another role is recognised. */
import { assert, describe, it } from "@effect/vitest"
import * as NatsRoles from "../../src/config/NatsRoles.ts"
import { matcher } from "../../src/Subject.ts"

const regions = ["eu-west", "us-east"]
const users: Readonly<Record<string, NatsRoles.Rights>> = {
  api: NatsRoles.api(regions),
  engine: NatsRoles.engine(regions),
  "probe-eu-west": NatsRoles.probe("eu-west"),
  "probe-us-east": NatsRoles.probe("us-east"),
  subscriber: NatsRoles.subscriber,
  "control-plane": NatsRoles.controlPlane(regions)
}
/** Rights as a process asks for them: it does not know the other regions. */
const roles: Readonly<Record<string, NatsRoles.Rights>> = {
  api: NatsRoles.api([]),
  engine: NatsRoles.engine([]),
  "probe-eu-west": NatsRoles.probe("eu-west"),
  "probe-us-east": NatsRoles.probe("us-east")
}

const pairs = Object.keys(roles).flatMap((role) => Object.keys(users).map((user) => ({ role, user })))

describe("the trial of a role", () => {
  it.each(pairs)("tells whether $user may be used as $role", ({ role, user }) => {
    const may = matcher(users[user]!.publish)
    const { requests, subscriptions } = NatsRoles.trial(roles[role]!)
    const refused = [
      ...requests.filter((subject) => !may(subject)),
      ...subscriptions.filter((subject) => !users[user]!.hear.includes(subject))
    ]
    assert.strictEqual(refused.length === 0, user === role || user === "control-plane", refused.join(", "))
  })

  it("changes nothing", () => {
    for (const rights of Object.values(roles))
      for (const subject of NatsRoles.trial(rights).requests)
        assert.match(subject, /^\$JS\.API\.(STREAM|CONSUMER)\.INFO\.[\w.-]+$/)
  })
})
