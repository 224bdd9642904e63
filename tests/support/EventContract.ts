/**
 * Validates messages against the AsyncAPI document, as a consumer without other knowledge would, but stricter: undocumented
 * fields are errors.
 */
import { Ajv } from "ajv"

export interface BusMessage {
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string
}

export interface EventContract {
  /** All types of messages over NATS. */
  readonly types: ReadonlyArray<string>
  /** The streams of the messages. */
  readonly streams: ReadonlyArray<{
    readonly stream: string
    readonly subjects: ReadonlyArray<string>
    readonly maxAgeSeconds: number
  }>
  /** Errors in a message from the bus. */
  readonly faults: (message: BusMessage) => ReadonlyArray<string>
  /** Errors in a CloudEvent from the event stream. */
  readonly faultsOverHttp: (event: any) => ReadonlyArray<string>
}

interface Channel {
  readonly address: string
  readonly parameters?: Readonly<Record<string, { readonly enum?: ReadonlyArray<string> }>>
  readonly messages: Readonly<Record<string, unknown>>
  readonly "x-jetstream"?: EventContract["streams"][number]
}

/** Reads one of our AsyncAPI documents. */
export const make = (document: any): EventContract => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  // Our format of instants; the document allows any.
  ajv.addFormat("date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  ajv.addSchema({ components: document.components }, "open")
  ajv.addSchema({ components: { schemas: closed(document.components.schemas) } }, "closed")
  const against = (schema: string, value: unknown): ReadonlyArray<string> => {
    const validate = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema })
    return validate(value) === true ? [] : validate.errors!.map((error) => `${schema}: ${ajv.errorsText([error])}`)
  }
  /** Validates a message's data with the closed schema. */
  const dataFaults = (type: string, data: unknown) => {
    const { $ref } = document.components.messages[type].payload
    return against(`closed${$ref}`, data)
  }
  const channels = Object.values<Channel>(document.channels)
  const ofNats = channels.filter((channel) => "x-jetstream" in channel)

  const faults = ({ headers, payload, subject }: BusMessage): ReadonlyArray<string> => {
    const type = headers["ce-type"] ?? ""
    const channel = ofNats.find(({ messages }) => type in messages)
    if (channel === undefined) return [`No channel has messages of type ${JSON.stringify(type)}`]
    const data = parsed(payload)
    return [
      ...subjectFaults(channel, subject, type, data),
      ...against(`open#/components/messages/${type}/headers`, headers),
      ...dataFaults(type, data)
    ]
  }
  const faultsOverHttp = (event: any): ReadonlyArray<string> => {
    const message = `http.${event?.type}`
    return document.channels.http.messages[message] === undefined
      ? [`The stream has no messages of type ${JSON.stringify(event?.type)}`]
      : [...against(`open#/components/messages/${message}/payload`, event), ...dataFaults(event.type, event.data)]
  }
  return {
    types: ofNats.flatMap(({ messages }) => Object.keys(messages)),
    streams: ofNats.map((channel) => channel["x-jetstream"]!),
    faults,
    faultsOverHttp
  }
}

const subjectFaults = (
  { address, parameters = {} }: Channel,
  subject: string,
  type: string,
  data: any
): ReadonlyArray<string> => {
  const names = Object.keys(parameters)
  const pattern = address.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^.]+)")
  const found = new RegExp(`^${pattern}$`).exec(subject)?.groups
  if (found === undefined) return [`${subject} is not of the form ${address}`]
  return names.flatMap((name) => {
    const value = found[name]!
    const allowed = parameters[name]!.enum ?? [value]
    const told = name === "event" ? type.split(".").at(-1) : (data?.[name] ?? value)
    return [
      ...(allowed.includes(value) ? [] : [`${subject}: ${name} may not be ${value}`]),
      ...(told === value ? [] : [`${subject}: ${name} is ${told} within`])
    ]
  })
}

/** Closes the schemas: no additional fields, and no values beyond today's for growing enumerations. */
const closed = (node: any): any => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== "object" || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  return {
    ...copy,
    ...("properties" in node ? { additionalProperties: false } : {}),
    ...("x-extensible-enum" in node ? { enum: node["x-extensible-enum"] } : {})
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
