import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import * as NatsConfiguration from "../../src/config/NatsConfiguration.ts"
import * as NatsRoles from "../../src/config/NatsRoles.ts"

const regionSets = fc.uniqueArray(fc.constantFrom("eu-west", "eu-north", "us-east", "ap-south", "sa-east"), {
  minLength: 1
})

const textFor = (regions: ReadonlyArray<string>): string =>
  NatsConfiguration.roles(
    regions,
    Object.fromEntries(NatsConfiguration.users(regions).map((user) => [user, `U_${user}`]))
  )

describe("NatsConfiguration", () => {
  it("gives a probe no permission in another region", () =>
    fc.assert(
      fc.property(regionSets, (regions) => {
        for (const region of regions) {
          const { hear, publish } = NatsRoles.probe(region)
          for (const other of regions.filter((one) => one !== region)) {
            assert.isEmpty([...hear, ...publish].filter((subject) => subject.includes(other)))
          }
        }
      })
    ))

  it("exports between accounts exactly what the other one imports", () =>
    fc.assert(
      fc.property(regionSets, (regions) => {
        const text = textFor(regions)
        const exported = [...text.matchAll(/\{ (service|stream): "([^"]+)", accounts: \["([^"]+)"\]/g)]
        const imported = [...text.matchAll(/\{ (service|stream): \{ account: "([^"]+)", subject: "([^"]+)"/g)]
        const offered = exported.map(([, kind, subject]) => `${kind} ${subject}`).sort()
        const asked = imported.map(([, kind, , subject]) => `${kind} ${subject}`).sort()
        assert.deepStrictEqual(asked, offered)
      })
    ))

  it("lets the control plane alone publish heartbeat observations", () => {
    const regions = ["eu-west", "us-east"]
    const subject = "kanmon.checks.*.heartbeat-inbox.>"
    for (const { publish } of [NatsRoles.engine(regions), NatsRoles.controlPlane(regions)])
      assert.include(publish, subject)
    for (const { publish } of [NatsRoles.api(regions), NatsRoles.subscriber, ...regions.map(NatsRoles.probe)])
      assert.notInclude(publish, subject)
  })

  it("lets no role delete or purge streams", () => {
    const roles = [
      NatsRoles.api(["eu-west"]),
      NatsRoles.engine(["eu-west"]),
      NatsRoles.controlPlane(["eu-west"]),
      NatsRoles.probe("eu-west"),
      NatsRoles.subscriber
    ]
    for (const { publish } of roles) {
      assert.isEmpty(
        publish.filter((subject) => /^(>|\*|\$JS\.(>|API\.>))|STREAM\.(DELETE|PURGE|MSG|\*|>)/.test(subject))
      )
    }
    for (const { publish } of [NatsRoles.probe("eu-west"), NatsRoles.subscriber]) {
      assert.isEmpty(publish.filter((subject) => /STREAM\.(CREATE|UPDATE)/.test(subject)))
    }
  })

  it("says where it listens and how it encrypts, and leaves the rest to the roles", () => {
    const options = { listen: "0.0.0.0:4222", storeDirectory: "/var/lib/nats" }
    assert.notInclude(NatsConfiguration.server(options), "tls {")
    const tls = NatsConfiguration.server({ ...options, tls: { cert: "/c.pem", key: "/k.pem", clientsCa: "/ca.pem" } })
    for (const words of [
      `listen: "0.0.0.0:4222"`,
      `cert_file: "/c.pem"`,
      `ca_file: "/ca.pem"`,
      "verify: true",
      "roles.conf"
    ]) {
      assert.include(tls, words)
    }
  })
})
