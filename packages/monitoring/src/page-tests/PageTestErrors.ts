/** Why a page test does not begin, or cannot be acknowledged. */
import { PageTestState } from "@kanmon/domain/PageTest"
import { Severity } from "@kanmon/domain/Severity"
import { Schema } from "effect"

/** Another test of the person runs. */
export class PageTestRuns extends Schema.TaggedError<PageTestRuns>()("PageTestRuns", {}) {}

/** The rules of the person send nothing for the severity, or no method is ready. */
export class NoPageToTest extends Schema.TaggedError<NoPageToTest>()("NoPageToTest", { severity: Severity }) {}

/** The test has ended. */
export class PageTestOver extends Schema.TaggedError<PageTestOver>()("PageTestOver", { state: PageTestState }) {}
