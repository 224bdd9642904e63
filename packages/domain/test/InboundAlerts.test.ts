import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { mostAlerts, mostWarnings, quietKey, readInbound, severityOf } from "../src/InboundAlerts.ts"
import { isPointer, valueAt } from "../src/JsonPointer.ts"

const alert = (fields: object = {}) => ({
  status: "firing",
  labels: { alertname: "DiskAlmostFull", instance: "db-1", severity: "warning" },
  annotations: { summary: "Disk of db-1 is almost full", description: "4% are left" },
  startsAt: "2026-11-20T09:02:10.000Z",
  endsAt: "0001-01-01T00:00:00Z",
  generatorURL: "https://prometheus.example/graph?g0.expr=disk_free",
  fingerprint: "1a30ba71cca2921f",
  ...fields
})

const alertmanager = (alerts: unknown, fields: object = {}) => ({
  version: "4",
  groupKey: "{}",
  truncatedAlerts: 0,
  status: "firing",
  receiver: "kanmon",
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: "https://alertmanager.example",
  alerts,
  ...fields
})

const taken = (...given: Parameters<typeof readInbound>) => {
  const read = readInbound(...given)
  if (Result.isFailure(read)) throw new Error(read.failure.message)
  return read.success
}
const refusal = (...given: Parameters<typeof readInbound>) => {
  const read = readInbound(...given)
  return Result.isFailure(read) ? read.failure.errors : []
}

describe("the webhook of Alertmanager", () => {
  it("is read alert by alert, whatever the status of the group is", () => {
    const body = alertmanager([alert(), alert({ fingerprint: "2", status: "resolved" })])
    const { alerts, warnings } = taken("alertmanager", null, body)
    assert.deepStrictEqual(warnings, [])
    assert.deepStrictEqual(alerts[0], {
      key: "1a30ba71cca2921f",
      status: "firing",
      title: "Disk of db-1 is almost full",
      severity: "warning",
      description: "4% are left",
      link: "https://prometheus.example/graph?g0.expr=disk_free",
      labels: { alertname: "DiskAlmostFull", instance: "db-1", severity: "warning" }
    })
    assert.deepStrictEqual([alerts[1]?.key, alerts[1]?.status], ["2", "resolved"])
  })

  it("names one bad alert among good ones, and what the sender left out", () => {
    const { alerts, warnings } = taken(
      "alertmanager",
      null,
      alertmanager([alert(), alert({ fingerprint: 7 }), alert({ status: "pending" }), alert({ fingerprint: "" })], {
        truncatedAlerts: 12
      })
    )
    assert.deepStrictEqual(
      alerts.map(({ key }) => key),
      ["1a30ba71cca2921f", "7"]
    )
    assert.deepStrictEqual(
      warnings.map(({ path }) => path),
      ["truncatedAlerts", "alerts[2].status", "alerts[3].fingerprint"]
    )
    assert.include(warnings[0]?.message, "12 alerts")
  })

  it("is refused when nothing in it can be read, with what was expected", () => {
    for (const [body, path] of [
      [[], ""],
      ["text", ""],
      [null, ""],
      [alertmanager([], { version: "3" }), "version"],
      [alertmanager({}), "alerts"],
      [alertmanager([{}]), "alerts[0].fingerprint"],
      [alertmanager([alert({ labels: [] })]), "alerts[0].labels"]
    ] as const)
      assert.strictEqual(refusal("alertmanager", null, body)[0]?.path, path, JSON.stringify(body).slice(0, 80))
    assert.deepStrictEqual(taken("alertmanager", null, alertmanager([])).alerts, [])
  })

  it("is no webhook of Grafana, nor the other way round", () => {
    assert.include(refusal("grafana", null, alertmanager([alert()]))[0]?.message, "Grafana")
    assert.lengthOf(taken("grafana", null, alertmanager([alert()], { version: "1", orgId: 1, title: "x" })).alerts, 1)
  })

  it("keeps no more of a body than it says, however long the parts are", () => {
    const long = "x".repeat(100_000)
    const labels = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`l${index}${long.slice(0, 300)}`, long])
    )
    const body = alertmanager([
      alert({
        labels: { ...labels, severity: long },
        annotations: { summary: long, description: long },
        generatorURL: `https://${long}`
      })
    ])
    const [read] = taken("alertmanager", null, body).alerts
    assert.isAtMost(JSON.stringify(read).length, 64 * 700 + 3000)
    assert.deepStrictEqual([read?.severity, read?.link], [null, null])
    const many = taken(
      "alertmanager",
      null,
      alertmanager(Array.from({ length: 10_000 }, (_, index) => (index % 2 ? {} : alert({ fingerprint: `${index}` }))))
    )
    assert.isAtMost(many.alerts.length, mostAlerts)
    assert.strictEqual(many.warnings.length, mostWarnings + 1)
  })
})

describe("a generic body", () => {
  it("is one alert, or a list of them", () => {
    const one = { key: "job", status: "firing", title: "The job failed", severity: "critical", labels: { host: "a" } }
    assert.deepInclude(taken("generic", null, one).alerts[0], {
      key: "job",
      severity: "critical",
      title: "The job failed"
    })
    assert.lengthOf(taken("generic", null, [one, { key: "other", status: "resolved" }]).alerts, 2)
    assert.deepStrictEqual(refusal("generic", null, { status: "firing" })[0]?.path, "/key")
    assert.deepStrictEqual(refusal("generic", null, { key: "a", status: "maybe", title: "b" })[0]?.path, "/status")
    assert.deepStrictEqual(refusal("generic", null, { key: "a", status: "firing" })[0]?.path, "/title")
  })

  it("is read by pointers, where it has another form", () => {
    const body = { event: { items: [{ id: 7, "state/now": "Gone well", info: { name: "Backup", level: "P1" } }] } }
    const mapping = {
      alerts: "/event/items",
      key: "/id",
      status: "/state~1now",
      title: "/info/name",
      severity: "/info/level",
      resolvedValues: ["gone well"]
    }
    assert.deepInclude(taken("generic", mapping, body).alerts[0], {
      key: "7",
      status: "resolved",
      title: "Backup",
      severity: "critical"
    })
  })

  it("cannot use the key of the alert about silence", () => {
    assert.lengthOf(refusal("generic", null, { key: quietKey, status: "resolved" }), 1)
  })
})

describe("any body", () => {
  it("is read without a failure, and each alert fits its bounds", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("alertmanager", "grafana", "generic"),
        fc.jsonValue(),
        fc.jsonValue(),
        (type, value, inner) => {
          for (const body of [value, { version: type === "grafana" ? "1" : "4", alerts: [value, inner] }, [inner]]) {
            const read = readInbound(type, null, body)
            if (Result.isFailure(read)) {
              assert.isAbove(read.failure.errors.length, 0)
              continue
            }
            for (const { description, key, title } of read.success.alerts) {
              assert.isTrue(key.length > 0 && key.length <= 256 && title.length > 0 && title.length <= 200)
              assert.isAtMost(description.length, 2000)
            }
          }
        }
      )
    )
  })

  it("loses no readable alert to unreadable ones around it", () => {
    const good = fc.uuid().map((fingerprint) => alert({ fingerprint }))
    const bad = fc.constantFrom({}, null, 1, "x", alert({ status: "odd" }), alert({ fingerprint: "y".repeat(300) }))
    fc.assert(
      fc.property(fc.array(fc.oneof(good, bad), { minLength: 1 }), (alerts) => {
        const expected = alerts.flatMap((one) =>
          typeof one === "object" &&
          one !== null &&
          "fingerprint" in one &&
          one.status === "firing" &&
          one.fingerprint.length < 300
            ? one.fingerprint
            : []
        )
        const read = readInbound("alertmanager", null, alertmanager(alerts))
        const keys = Result.isSuccess(read) ? read.success.alerts.map(({ key }) => key) : []
        assert.deepStrictEqual(keys, expected)
      })
    )
  })

  it("has a severity only by a word that is known", () => {
    assert.deepStrictEqual(["Critical", " warn ", "P5", "purple", 3, undefined].map(severityOf), [
      "critical",
      "warning",
      "info",
      null,
      null,
      null
    ])
  })
})

describe("a JSON pointer", () => {
  it("finds what the document itself has, and nothing that objects inherit", () => {
    const document = { a: [{ "b/c": 1, "m~n": 2 }], "": 3 }
    assert.deepStrictEqual(
      ["", "/a/0/b~1c", "/a/0/m~0n", "/", "/a/00", "/a/length", "/__proto__", "/a/0/constructor"].map((pointer) =>
        valueAt(document, pointer)
      ),
      [document, 1, 2, 3, undefined, undefined, undefined, undefined]
    )
    assert.deepStrictEqual(["", "/a", "a", "/~2", "/~", `/${"a".repeat(256)}`].map(isPointer), [
      true,
      true,
      false,
      false,
      false,
      false
    ])
  })
})
