/** The AsyncAPI document is valid by its official parser, and its examples are what it describes. */
import { Parser } from "@asyncapi/parser"
import { assert, describe, it } from "@effect/vitest"
import * as AsyncApiDocument from "@kanmon/monitoring/testing/events/AsyncApiDocument.ts"
import { eventTypes } from "@kanmon/protocol/EventsApi"
import * as EventContract from "../support/EventContract.ts"

const document: any = AsyncApiDocument.make("https://status.example.org/kanmon", "1.2.3")
const contract = EventContract.make(document)

describe("the AsyncAPI document", () => {
  it("is valid, with no recommendation except a newer version of AsyncAPI", async () => {
    const { diagnostics, document: parsed } = await new Parser().parse(structuredClone(document))
    assert.deepStrictEqual(
      diagnostics.filter(({ code }) => code !== "asyncapi-latest-version"),
      []
    )
    assert.strictEqual(parsed!.version(), "3.0.0")
    assert.sameMembers(
      parsed!
        .servers()
        .all()
        .map((server) => server.url()),
      ["nats://{address}/", "https://status.example.org/kanmon/api/v1"]
    )
    for (const channel of parsed!.channels().all()) assert.strictEqual(channel.operations().length, 1, channel.id())
  })

  it("lists exactly the types over HTTP that the server accepts", () => {
    assert.deepStrictEqual(
      Object.keys(document.channels.http.messages),
      eventTypes.map((type) => `http.${type}`)
    )
  })

  it.each(contract.types)("has a valid example of %s", (type) => {
    const { examples } = document.components.messages[type]
    assert.isNotEmpty(examples)
    const channel: any = Object.values<any>(document.channels).find(({ messages }) => type in messages)
    for (const { headers, payload } of examples) {
      // The subject that such an event is sent to; a partition is in no payload.
      const subject = channel.address.replaceAll(/\{(\w+)\}/g, (_: string, name: string) =>
        name === "event" ? type.split(".").at(-1)! : String(payload[name] ?? 7)
      )
      assert.deepStrictEqual(contract.faults({ subject, headers, payload: JSON.stringify(payload) }), [])
      assert.include(Object.values(payload), headers["ce-subject"])
    }
  })

  it.each(eventTypes)("has a valid example of %s over HTTP", (type) => {
    const { examples } = document.components.messages[`http.${type}`]
    assert.isNotEmpty(examples)
    for (const { payload } of examples) assert.deepStrictEqual(contract.faultsOverHttp(payload), [])
  })

  it("rejects invalid events", () => {
    const [{ headers, payload }] = document.components.messages["kanmon.page.created"].examples
    const good = {
      subject: `kanmon.events.${payload.projectId}.page.${payload.pageId}.created`,
      headers,
      payload: JSON.stringify(payload)
    }
    const broken: ReadonlyArray<Partial<EventContract.BusMessage>> = [
      { subject: "kanmon.events.elsewhere" },
      { subject: good.subject.replace("created", "updated") },
      { subject: good.subject.replace(payload.projectId, "prj_other") },
      { headers: { ...headers, "ce-type": "kanmon.page.painted" } },
      { headers: { ...headers, "ce-time": "yesterday" } },
      { headers: { ...headers, "ce-id": "" } },
      { payload: "{" },
      { payload: JSON.stringify({ ...payload, slug: null }) },
      { payload: JSON.stringify({ ...payload, colour: "red" }) }
    ]
    assert.deepStrictEqual(contract.faults(good), [])
    for (const change of broken) assert.isNotEmpty(contract.faults({ ...good, ...change }), JSON.stringify(change))
    assert.isNotEmpty(contract.faultsOverHttp({ ...payload, type: "kanmon.probe.blind" }))
  })
})
