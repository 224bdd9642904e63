/** `npm run pack -- [folder]`: the tarballs of the packages for people outside, ready for `npm publish`. */
import * as path from "node:path"
import { pack } from "./packages.ts"

const [into = "tarballs"] = process.argv.slice(2)
for (const [name, file] of Object.entries(await pack(path.resolve(into)))) console.log(`${name}  ${file}`)
