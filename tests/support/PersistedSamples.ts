/** JSON that earlier releases stored: every sample in a folder stays readable, and every version has samples. */
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"

interface Shape {
  readonly version: number
  /** Decodes a sample and stores it again. */
  readonly restore: (json: unknown) => object
}

export const shapeOf = <Value>(stored: {
  readonly version: number
  readonly decode: (json: unknown) => Value
  readonly encode: (value: Value) => object
}): Shape => ({ version: stored.version, restore: (json) => stored.encode(stored.decode(json)) })

/** The suite over the samples in `folder`, which are called `<name of a shape>-v<version>.json`. */
export const suite = (folder: string, shapes: Readonly<Record<string, Shape>>): void => {
  describe("persisted JSON", () => {
    for (const file of fs.readdirSync(folder)) {
      it(`is readable: ${file}`, () => {
        const [, name = "", version = ""] = /^(.+)-v(\d+)\.json$/.exec(file) ?? []
        const shape = shapes[name]
        assert.isDefined(shape, `no shape is called ${name}`)
        const samples: Readonly<Record<string, unknown>> = JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"))
        for (const [what, sample] of Object.entries(samples)) {
          const restored = shape!.restore(sample)
          // A value of the current version is stored again as it was read.
          if (Number(version) === shape!.version) assert.deepStrictEqual({ ...restored }, sample, what)
        }
      })
    }

    it("has samples of every version", () => {
      const files = new Set(fs.readdirSync(folder))
      for (const [name, { version }] of Object.entries(shapes)) {
        for (let each = 1; each <= version; each++) assert.isTrue(files.has(`${name}-v${each}.json`), `${name} ${each}`)
      }
    })
  })
}
