/** The contract that every check keeps. */
import * as CheckContract from "@kanmon/testkit/CheckContract"
import plugin from "../src/index.ts"

for (const check of plugin.checks) CheckContract.suite(check)
