/** What is published to subscribers stays what they were promised. */
import { assert, describe, it } from "@effect/vitest"
import { eventTypes } from "@kanmon/protocol/EventsApi"
import * as PublishedEvents from "../support/PublishedEvents.ts"

const note = "see docs/decisions/0009-what-breaks-a-subscriber.md"

describe("the published events", () => {
  it("stays compatible with the recorded contract", async () => {
    assert.deepStrictEqual(PublishedEvents.breakages(await PublishedEvents.before(), PublishedEvents.now()), [], note)
  })

  it("matches the recorded contract", async () => {
    const message = `Published events have changed, which breaks nobody: npm run accept:events (${note})`
    assert.deepStrictEqual(await PublishedEvents.before(), PublishedEvents.now(), message)
  })

  const change = (edit: (events: any) => void) => {
    const changed = structuredClone(PublishedEvents.now())
    edit(changed)
    return PublishedEvents.breakages(PublishedEvents.now(), changed)
  }

  it("allows additions", () => {
    const found = change(({ channels, components }) => {
      channels.weather = { address: "kanmon.events.{projectId}.weather", messages: [] }
      channels.monitor.messages.push("kanmon.monitor.renamed")
      channels.monitor.maxAgeSeconds *= 2
      components.messages["kanmon.monitor.renamed"] = components.messages["kanmon.monitor.up"]
      components.schemas.AlertChanged.properties.note = { type: "string" }
      components.schemas.AlertChanged.properties.trigger["x-extensible-enum"].push("quota_exceeded")
      components.schemas.CloudEventHeaders.properties["ce-traceparent"] = { type: "string" }
    })
    assert.deepStrictEqual(found, [])
  })

  const broken: ReadonlyArray<readonly [what: string, edit: (events: any) => void, path: string]> = [
    ["a channel that is gone", ({ channels }) => delete channels.page, "page"],
    ["another subject", ({ channels }) => (channels.alert.address += ".v2"), "alert"],
    ["a shorter memory", ({ channels }) => (channels.check.maxAgeSeconds /= 2), "check"],
    ["another stream", ({ channels }) => (channels.check.stream = "CHECKS"), "check"],
    ["an event that is no longer sent", ({ channels }) => channels.monitor.messages.pop(), "monitor"],
    [
      "a message that is gone",
      ({ components }) => delete components.messages["kanmon.page.created"],
      "kanmon.page.created"
    ],
    [
      "another content type",
      ({ components }) => (components.messages["kanmon.page.created"].contentType = "text/plain"),
      "kanmon.page.created"
    ],
    [
      "an attribute that may be absent",
      ({ components }) => components.schemas.CloudEventHeaders.required.shift(),
      "kanmon.check.observed headers.ce-specversion"
    ],
    [
      "a field that is gone",
      ({ components }) => delete components.schemas.PageChanged.properties.slug,
      "kanmon.page.created.slug"
    ],
    [
      "a field that may be null",
      ({ components }) => {
        const { properties } = components.schemas.PageChanged
        properties.slug = { anyOf: [properties.slug, { type: "null" }] }
      },
      "kanmon.page.created.slug"
    ],
    [
      "a status that nobody was told of",
      ({ components }) => components.schemas.IncidentChanged.properties.status.enum.push("abandoned"),
      "kanmon.incident.opened.status"
    ],
    [
      "a trigger that is gone",
      ({ components }) => components.schemas.AlertChanged.properties.trigger["x-extensible-enum"].pop(),
      "kanmon.alert.triggered.trigger"
    ]
  ]
  it.each(broken)("refuses %s", (_, edit, path) => {
    const paths = change(edit).map((breakage) => breakage.path)
    assert.include(paths, path)
  })

  it("reports the same breaking changes over HTTP as over NATS", () => {
    const found = change(({ components }) => delete components.schemas.MonitorChanged.properties.name)
    const told = eventTypes.filter((type) => /\.(created|updated|deleted|paused|resumed|stale|fresh)$/.test(type))
    const ofMonitors = told.filter((type) => type.startsWith("kanmon.monitor."))
    assert.sameMembers(
      found.map(({ path }) => path),
      ofMonitors.flatMap((type) => [`${type}.name`, `http.${type}.data.name`])
    )
  })
})
