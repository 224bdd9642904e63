/** DNS messages of 64 kB, the most that there is: many records, long and short names, and pointers in every way. */
import type { Named } from "./HostileAnswers.ts"
import { plainShapes, repeated } from "./Shapes.ts"

const bytes = (text: string): Buffer => Buffer.from(text)

const types = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33, CAA: 257 } as const
export type RecordType = keyof typeof types

const number16 = (value: number): Buffer => {
  const made = Buffer.alloc(2)
  made.writeUInt16BE(value)
  return made
}
const nameOf = (text: string): Buffer =>
  Buffer.concat([
    ...text.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0])
  ])
const toQuestion: Buffer = Buffer.from([0xc0, 12])
const record = (type: RecordType, data: Buffer, owner: Buffer = toQuestion): Buffer =>
  Buffer.concat([owner, number16(types[type]), number16(1), Buffer.from([0, 0, 0, 60]), number16(data.length), data])

/** The name that is asked for in all of them. */
export const askedName = "shop.example"

/** The answers up to 64 kB, and what the head says about their number. */
const message = (type: RecordType, records: ReadonlyArray<Buffer>, count?: number): Buffer => {
  const question = Buffer.concat([nameOf(askedName), number16(types[type]), number16(1)])
  let room = 65_000 - 12 - question.length
  const fitting = records.filter(({ length }) => (room -= length) >= 0)
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(count ?? fitting.length, 6)
  return Buffer.concat([head, question, ...fitting])
}

/** What a record of a type holds, before a name. */
const before: Partial<Record<RecordType, Buffer>> = { MX: number16(10), SRV: Buffer.alloc(6, 1) }
const many = (record: (index: number) => Buffer): ReadonlyArray<Buffer> =>
  Array.from({ length: 6000 }, (_, index) => record(index))
const chunks = (text: string, size: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(text.length / size) }, (_, index) => {
      const part = Buffer.from(text.slice(index * size, (index + 1) * size), "latin1")
      return Buffer.concat([Buffer.from([part.length]), part])
    })
  )

/** DNS messages of 64 kB. */
export function* dnsMessages(): Generator<Named<readonly [RecordType, Buffer]>> {
  const longName = [63, 63, 63, 50].map((length) => "a".repeat(length)).join(".")
  const shortName = Array.from({ length: 120 }, () => "a").join(".")
  for (const shape of plainShapes) {
    yield [`TXT of ${shape}`, ["TXT", message("TXT", [record("TXT", chunks(repeated(shape, 64_000), 255))])]]
    yield [
      `CAA of ${shape}`,
      [
        "CAA",
        message("CAA", [
          record("CAA", Buffer.concat([Buffer.from([0, 5]), bytes("issue"), bytes(repeated(shape, 60_000))]))
        ])
      ]
    ]
    const label = repeated(shape, 60).replaceAll(".", "a")
    yield [
      `names of ${shape}`,
      [
        "NS",
        message(
          "NS",
          many(() => record("NS", nameOf(`${label}.${label}.${label}`)))
        )
      ]
    ]
  }
  yield ["TXT in parts of one byte", ["TXT", message("TXT", [record("TXT", chunks("é".repeat(32_000), 1))])]]
  yield ["TXT in empty parts", ["TXT", message("TXT", [record("TXT", Buffer.alloc(60_000))])]]
  yield [
    "many TXT",
    [
      "TXT",
      message(
        "TXT",
        many((index) => record("TXT", chunks(String(index), 255)))
      )
    ]
  ]
  yield [
    "many A",
    [
      "A",
      message(
        "A",
        many((index) => record("A", Buffer.from([192, 0, index >> 8, index & 255])))
      )
    ]
  ]
  yield [
    "many AAAA",
    [
      "AAAA",
      message(
        "AAAA",
        many((index) => record("AAAA", Buffer.concat([Buffer.alloc(14, 0xfd), number16(index)])))
      )
    ]
  ]
  yield [
    "a chain of aliases",
    [
      "A",
      message(
        "A",
        many((index) => record("CNAME", nameOf(`a${index + 1}`), index === 0 ? toQuestion : nameOf(`a${index}`)))
      )
    ]
  ]
  yield [
    "aliases of themselves",
    [
      "A",
      message(
        "A",
        many(() => record("CNAME", toQuestion))
      )
    ]
  ]
  yield [
    "many CAA",
    [
      "CAA",
      message(
        "CAA",
        many((index) => record("CAA", Buffer.concat([Buffer.from([0, 5]), bytes(`issue${index}`)])))
      )
    ]
  ]
  yield [
    "a wrong number of records",
    [
      "A",
      message(
        "A",
        many(() => record("A", Buffer.alloc(4))),
        65_535
      )
    ]
  ]
  yield [
    "SOA",
    [
      "SOA",
      message(
        "SOA",
        many(() => record("SOA", Buffer.concat([nameOf(longName), nameOf(shortName), Buffer.alloc(20, 1)])))
      )
    ]
  ]
  for (const type of ["NS", "MX", "PTR", "SRV", "CNAME"] as const) {
    const named = (name: Buffer): Buffer => record(type, Buffer.concat([before[type] ?? Buffer.alloc(0), name]))
    const headLength = 12 + nameOf(askedName).length + 4
    const ahead = 12 + (before[type]?.length ?? 0)
    yield [
      `many ${type}`,
      [
        type,
        message(
          type,
          many(() => named(nameOf("a")))
        )
      ]
    ]
    yield [
      `${type} of long names`,
      [
        type,
        message(
          type,
          many(() => named(nameOf(longName)))
        )
      ]
    ]
    yield [
      `${type} of many labels`,
      [
        type,
        message(
          type,
          many(() => named(nameOf(shortName)))
        )
      ]
    ]
    // Each name is a label, then a pointer to the name before it.
    const chain = many((index) => {
      const size = ahead + 4
      const target = headLength + (index - 1) * size + ahead
      return named(
        Buffer.concat([Buffer.from([1, 97]), index === 0 ? toQuestion : number16(0xc000 | (target & 0x3fff))])
      )
    })
    yield [`${type}, a chain of pointers`, [type, message(type, chain)]]
    const pointers = many((index) => {
      const size = ahead + 2
      return named(number16(0xc000 | (index === 0 ? 12 : (headLength + (index - 1) * size + ahead) & 0x3fff)))
    })
    yield [`${type}, pointers to pointers`, [type, message(type, pointers)]]
    yield [
      `${type}, pointers to themselves`,
      [
        type,
        message(
          type,
          many((index) => named(number16(0xc000 | ((headLength + index * (ahead + 2) + ahead) & 0x3fff))))
        )
      ]
    ]
  }
}
