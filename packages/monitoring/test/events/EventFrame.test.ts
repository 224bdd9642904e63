import { cloudEventHeaders } from "@kanmon/domain/ServiceEvent"
import { assert, describe, it } from "@effect/vitest"
import * as Sse from "effect/encoding/Sse"
import * as fc from "fast-check"
import { frame, keepAlive, opening } from "../../src/events/EventFrame.ts"

const down = {
  subject: "kanmon.events.prj_1.monitor.mon_1.down",
  payload: `{"monitorId":"mon_1",\n "status":"down"}`,
  headers: cloudEventHeaders({ id: "e1", type: "kanmon.monitor.down", subject: "mon_1", time: 0 }),
  sequence: 7,
  deliveries: 1
}

const parsed = (text: string): ReadonlyArray<Sse.AnyEvent> => {
  const found: Array<Sse.AnyEvent> = []
  Sse.makeParser((event) => void found.push(event)).feed(text)
  return found
}

describe("a frame", () => {
  it("is an event with its place in the stream, its type, and a CloudEvent on one line", () =>
    assert.strictEqual(
      frame(down),
      [
        "id: 7",
        "event: kanmon.monitor.down",
        `data: {"specversion":"1.0","id":"e1","source":"/kanmon","type":"kanmon.monitor.down","subject":"mon_1","time":"1970-01-01T00:00:00.000Z","datacontenttype":"application/json","data":{"monitorId":"mon_1","status":"down"}}`,
        "",
        ""
      ].join("\n")
    ))

  it("brings any data through, and is always one event", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), fc.nat(), (value, id, sequence) => {
        const text = frame({
          ...down,
          payload: JSON.stringify(value, null, 2),
          headers: { ...down.headers, "ce-id": `e${id}` },
          sequence
        })
        const [event, ...others] = parsed(text!)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(event, { _tag: "Event", id: String(sequence), event: "kanmon.monitor.down" })
        const { data, id: found } = JSON.parse((event as Sse.Event).data)
        assert.deepStrictEqual([data, found], [JSON.parse(JSON.stringify(value)), `e${id}`])
      })
    )
  })

  it.each([
    ["no headers", { headers: {} }],
    ["no id", { headers: { ...down.headers, "ce-id": "" } }],
    ["a type that would break the line", { headers: { ...down.headers, "ce-type": "a\ndata: b" } }],
    ["data that is not JSON", { payload: "down!" }]
  ])("is not made of a message with %s", (_, change) => assert.isUndefined(frame({ ...down, ...change })))

  it("stands beside an opening and a comment that are no events", () => {
    assert.strictEqual(opening(41), "id: 41\nretry: 3000\n\n")
    assert.deepStrictEqual(
      parsed(opening(41) + keepAlive).map(({ _tag }) => _tag),
      ["Retry"]
    )
  })
})
