/**
 * The reasons that Kanmon and its checks give, in English: all codes there are. `ReasonText.ts` has what braces mean. A code and the
 * names of its parameters are read by other programs: they stay, and new ones are added.
 */
import type { ReasonCatalogue } from "./ReasonText.ts"

const texts = {
  // What somebody else has said.
  said: "{text}",

  // Names and addresses
  name_unknown: "The name {host} does not exist",
  name_invalid: "{host} is not a valid DNS name",
  no_record: "{host} has no {type} record",
  no_address: "{host} has no address",
  name_servers_failed: "The name servers of {host} failed (SERVFAIL)",
  name_not_resolved: "The name {host} could not be resolved temporarily",
  name_server_refused: "The name server refused to answer for {host}",
  name_server_closed: "The name server does not accept queries",
  name_servers_silent: "No name server answered for {host} in time",
  lookup_failed: "Looking up {host} failed ({cause})",
  lookup_failed_unexplained: "Looking up {host} failed (for no known reason)",
  resolver_silent: "The probe's own resolver does not respond",
  name_server_invalid: "{server} is not a valid name server address",
  name_server_forbidden: "The name server {server} {@why}, and may not be used{@remedy}",
  private_name: "{host} is a private network's name and cannot be looked up{@remedy}",
  private_records:
    "The {type} records of {host} are in a special range or a private network and are not shown{@remedy}",
  address_forbidden: "{address} {@why}, and may not be checked from here{@remedy}",
  address_of_name_forbidden: "{host} has an address that {@why}, and may not be checked from here{@remedy}",
  "why.special": "is in a special range: {range}",
  "why.not_an_address": "is not an IP address",
  "why.not_global": "is not a global unicast address (RFC 4291)",
  "remedy.operator": "; the operator can allow it with KANMON_ALLOW_PRIVATE_TARGETS=true",
  record_mismatch: "{host} has the {type} record {found}; expected {@expectation}{@hint}",
  "expectation.value": "{expected}",
  "expectation.one_of": "one of {expected}",
  "expectation.also": "also {expected}",
  "expectation.only": "nothing but {expected}",
  "expectation.containing": "one that contains {expected}",
  "hint.quotes": ". Leave out the quotes around the expected value: they belong to the zone file",

  // Connections
  connection_refused: "{target} refused the connection",
  connection_closed_while_opening: "{target} closed the connection while it was being opened",
  connection_impossible: "This probe could not open a connection to {target} ({cause})",
  no_route: "This probe has no route to {target}",
  no_route_to_target: "This probe has no route to the target",
  host_unreachable: "{target} cannot be reached: no route to the host",
  no_answer: "{target} did not answer",
  connection_failed: "Connecting to {target} failed ({cause})",
  took_too_long: "{target} took more than {seconds} s{@stage}",
  "stage.dns": ", while looking up its name",
  "stage.connect": ", while connecting",
  "stage.tls": ", during the TLS handshake",
  "stage.request": ", waiting for an answer",
  "stage.download": ", while receiving the answer",

  // TLS
  tls_closed: "{target} closed the connection during the TLS handshake",
  tls_not_spoken: "{target} does not speak TLS on this port",
  tls_too_old: "{target} only supports TLS versions that are too old (older than {oldest}){@hint}",
  "hint.tls_min_version": "; tlsMinVersion sets the oldest version that the check accepts",
  tls_no_cipher: "{target} and this probe have no cipher in common",
  tls_no_certificate: "{target} has no certificate for this name",
  tls_failed: "The TLS handshake with {target} failed ({cause}){@hint}",
  client_certificate_required: "{target} asks for a client certificate",
  client_certificate_refused: "{target} refused the client certificate ({cause})",
  client_certificate_unusable: "The client certificate cannot be used",
  client_key_too_slow: "The client certificate cannot be used: opening its key takes too long",
  client_key_no_capacity: "This probe had no capacity to open the key of the client certificate",
  certificate_names_others: "The certificate does not name {host}, but {names}",
  certificate_names_nobody: "The certificate does not name {host}, but nobody",
  certificate_self_signed: "{@certificate} is self-signed",
  certificate_untrusted: "{@certificate} comes from an authority that is not trusted",
  certificate_incomplete:
    "The certificate chain of {host} is incomplete or from an unknown authority: the server does not send an intermediate certificate that leads to a trusted one (browsers may fetch it by themselves)",
  certificate_revoked: "{@certificate} was revoked",
  certificate_invalid: "The certificate of {host} is not valid ({cause})",
  certificate_expired: "{@certificate} expired on {@moment}{@also}",
  certificate_not_yet_valid: "{@certificate} is only valid from {@moment}{@also}",
  "certificate.this": "The certificate",
  "certificate.own": "The certificate of {host}",
  "certificate.named": "The certificate {name} in the chain of {host}",
  "certificate.unnamed": "The certificate without a name in the chain of {host}",
  "moment.known": "{at:iso}",
  "moment.unknown": "an unknown day",
  "also.names_others": ", and does not name {host} either",

  // ICMP
  ping_missing:
    "This probe has no ping program: install iputils-ping (Debian, Ubuntu) or iputils (Alpine, Fedora) on it",
  ping_forbidden:
    "This probe may not send ICMP: give ping the capability cap_net_raw, or allow its group with net.ipv4.ping_group_range",
  ping_failed: "This probe's ping program failed{@output}",
  "output.said": ": {text}",
  "output.code": " ({cause})",
  no_reply: "{host} answered none of {sent} echo requests",
  packets_lost: "{lost} % of the packets were lost; expected at most {limit} %",
  replies_slow: "Replies took {took} ms on average; expected at most {limit} ms",
  replies_varied: "Replies varied by {jitter} ms; expected at most {limit} ms",

  // HTTP
  status_mismatch: "{host} answered {status}; expected {expected}{@hint}",
  "hint.no_digest":
    "; it asks for no digest authentication that Kanmon knows (MD5, SHA-256 or SHA-512-256 with qop auth)",
  slow: "{host} took {took} ms; more than {limit} ms counts as degraded",
  too_many_redirects: "{host} redirects more than {limit} times",
  redirect_empty: "{host} answered {status} with an empty Location, so there is nowhere to go",
  redirect_too_long: "{host} redirects to a URL of more than {limit} characters",
  redirect_invalid: "{host} redirects to an invalid URL",
  redirect_not_http: "{host} redirects to a URL that is not http(s)",
  redirect_port_zero: "{host} redirects to port 0",
  response_incomplete: "{host} closed the connection in the middle of its response",
  no_response: "{host} closed the connection without a response",
  exchange_failed: "The exchange with {host} failed ({cause})",
  not_http: "{host} did not respond in HTTP",
  malformed: "{host} sent a malformed response",
  switched_protocols: "{host} answered 101 Switching Protocols, which the request did not ask for",
  first_line: "its first line is {line}",
  first_line_begins: "its first line begins with {line}",
  line_problem: "{@part} line {number}, {line}, {@problem}",
  "part.header": "header",
  "part.trailer": "trailer",
  "problem.nul": "contains a NUL character",
  "problem.no_colon": "has no colon",
  "problem.no_name": "has no name before the colon",
  "problem.control": "has a control character in its name",
  transfer_encoding_too_long: "its Transfer-Encoding is too long",
  content_length: "its Content-Length is {value}",
  chunk_size: "a chunk has the size {value}",
  chunk_too_long: "a chunk is longer than its size says",
  header_too_large: "{host} sent {@amount}",
  "amount.kibibytes": "more than {limit} KiB of {@of}",
  "amount.lines": "more than {limit} lines of {@of}",
  "amount.line": "a line of more than {limit} KiB",
  "amount.interims": "more than {limit} interim responses before its answer",
  "amount.too_many_interims": "too many interim responses before its answer",
  "of.headers": "headers",
  "of.trailers": "trailers",
  "of.extensions": "chunk extensions",
  "of.interims": "interim responses before its answer",

  // What an answer has to be
  body_lacks: 'The body does not contain "{expected}"',
  body_contains: 'The body contains "{found}"',
  body_does_not_match: 'The body does not match "{expected}"',
  encoding_too_long: "The Content-Encoding of the response is too long",
  encoding_too_deep: "The body has {count} content codings; at most {limit} are supported",
  encoding_unknown: 'The body has the content coding "{coding}"; only gzip, deflate, br and zstd are supported',
  encoding_wrong: "The body cannot be decoded as {coding}, its Content-Encoding",
  not_json: "The body is not JSON",
  json_missing: "{path} selects nothing in the body",
  json_differs: '{path} is "{found}"; expected "{expected}"',
  json_violates: "{path} is {found}; expected {@operator}",
  json_not_evaluated: '{path} cannot be evaluated on this body: "{problem}"',
  header_missing: "The header {header} is missing",
  header_violates: "The header {header} is {found}; expected {@operator}",
  "operator.equals": "{value}",
  "operator.notEquals": "anything but {value}",
  "operator.contains": "a value that contains {value}",
  "operator.notContains": "no value that contains {value}",
  "operator.matches": "a match of {value}",
  "operator.greaterThan": "more than {value}",
  "operator.greaterThanOrEqual": "at least {value}",
  "operator.lessThan": "less than {value}",
  "operator.lessThanOrEqual": "at most {value}",
  "operator.notExists": "nothing",
  too_expensive:
    "{settings:and} takes more than {seconds} s of CPU time, or too much memory, on this {@text} of {kilobytes} kB: simplify it, or make it search less",
  "text.body": "body",
  "text.headers": "headers",
  no_capacity_for: "The target answered, but this probe had no capacity to evaluate {settings:and}",
  no_memory: "The target answered, but this probe had no memory left for its answer",
  evaluation_too_expensive: "It needs more than {limit} ms of CPU time, or too much memory",
  evaluation_no_capacity: "There was no capacity to evaluate it",

  // Jobs
  signal_missed: "No signal arrived by {deadline:utc}. {@last}",
  run_stuck: "The run that started at {started:utc} had not ended by {deadline:utc}. {@last}",
  "last.none": "No success signal has arrived yet",
  "last.known": "The last one arrived at {lastAt:utc}",
  job_failed: "The job reported a failure{@output}",
  job_ended: "The job ended with exit code {exitCode}{@output}",
  metric_breached: "{metric} is {value}; it must be {op} {limit}",
  job_silent: 'The job wrote nothing; expected "{expected}"',
  output_lacks: 'The output of the job does not contain "{expected}"',
  output_contains: 'The output of the job contains "{found}"',
  settings_unreadable:
    "No deadline is known, because this monitor's settings are no longer valid: {problems}. Change them",

  // The probe
  expected_to_fail: "The check is expected to fail, but it passed",
  expected_to_fail_answered: "The check is expected to fail, but the target answered {status}",
  probe_saturated: "The probe had no capacity for the check before the next one was due",
  evaluation_unavailable: "The probe had no capacity to evaluate the target's answer",
  probe_paused: "The probe's process was suspended during the check",
  check_crashed: "The check crashed, so the target's status is unknown",
  check_quarantined:
    "This check blocked the probe for seconds, twice. It is not run until the monitor or the plugin of its type is changed",
  check_stalled:
    "The last attempt blocked the probe for seconds and was ended with it, so the target's status is unknown",
  probe_offline: "The probe lost its network connection, so the target's status is unknown",
  clock_behind: "The probe's clock is {seconds} s behind, so its results do not count",
  clock_ahead: "The probe's clock is {seconds} s ahead, so its results do not count",
  not_checked: "This monitor waits for signals and is not checked",
  probe_garbled: "The probe's response could not be decoded",
  probe_silent: "The probe did not answer within {seconds} s",
  probe_failed: "The probe failed to respond; it may run another version or be stopping",
  no_probe: "No probe of this region is alive",
  not_watched: "No probe of this region has the current version of the monitor yet",
  region_silent: "No probe of this region answers",

  // Alerts
  never_any_result: "No check has had a result yet, so its status is unknown",
  no_result_since: "No check has had a result since {since:utc}, so its status is unknown",
  certificate_ends: "The certificate of {host} expires in {@days}, on {on:day}",
  certificate_ended: "The certificate of {host} expired {@days} ago, on {on:day}",
  certificate_names_another: "{@certificate} does not name this host",
  certificate_is_not_yet_valid: "{@certificate} is not valid yet",
  certificate_has_expired: "{@certificate} has expired",
  certificate_or_issuer_expired: "{@certificate} has expired, or was issued by a certificate that has",
  certificate_lacks_intermediate:
    "{@certificate} is sent without the intermediate certificate that leads to a trusted authority",
  registration_ends: "The registration of {domain} ends in {@days}, on {on:day}",
  registration_ended: "The registration of {domain} ended {@days} ago, on {on:day}",
  "days.less": "less than a day",
  "days.one": "1 day",
  "days.more": "{count} days",
  certificate_valid_again: "{host} serves a valid certificate again",
  registration_renewed: "The registration of {domain} was renewed",
  registration_renewed_until: "The registration of {domain} was renewed until {until:day}",
  results_again: "Its checks have results again: it is {@status}",
  "status.up": "up",
  "status.degraded": "degraded",
  "status.down": "down",
  "status.pending": "pending",
  "status.paused": "paused",
  "status.maintenance": "maintenance",
  "status.unknown": "unknown",
  "status.known": "known",
  answers_not_well: "It answers again, but not well",
  all_pass: "All checks pass again",
  most_pass: "Most regions see it pass again",
  sender_says_over: "Its sender says that it is over",
  sender_stopped: "Its sender stopped sending it, and it was open for {minutes} min",
  resolved_by: "Resolved by {name}"
} as const

type Key = keyof typeof texts
/** A code of a reason. */
export type ReasonCode = Exclude<Key, `${string}.${string}`>

/** The placeholders of a text. */
type Holes<T extends string> = T extends `${string}{${infer Hole}}${infer Rest}` ? Hole | Holes<Rest> : never
type NameOf<Hole extends string> = Hole extends `@${string}`
  ? never
  : Hole extends `${infer Name}:${string}`
    ? Name
    : Hole
type PartOf<Hole extends string> = Hole extends `@${infer Name}` ? Name : never
/** The parts that a parameter chooses from. */
type Choice<Name extends string> =
  Extract<Key, `${Name}.${string}`> extends infer K ? (K extends `${Name}.${infer Value}` ? Value : never) : never
/** What the parts of a text name: each is given where its part is chosen. */
type Inner<Name extends string> =
  Extract<Key, `${Name}.${string}`> extends infer K ? (K extends Key ? Holes<(typeof texts)[K]> : never) : never
type Parts<Hole extends string> = PartOf<Hole> | PartOf<Inner<PartOf<Hole>>>
type InnerNames<Hole extends string> = NameOf<Inner<Parts<Hole>>>

/** The parameters of a reason. Those of parts are given with the part that names them. */
export type ReasonParameters<Code extends ReasonCode> = {
  readonly [Name in NameOf<Holes<(typeof texts)[Code]>>]: string | number
} & {
  readonly [Name in Exclude<InnerNames<Holes<(typeof texts)[Code]>>, NameOf<Holes<(typeof texts)[Code]>>>]?:
    string | number | undefined
} & {
  readonly [Name in Parts<Holes<(typeof texts)[Code]>>]?: Choice<Name> | undefined
}

/** The same texts in another language. */
export type ReasonTexts = { readonly [Name in Key]: string }

export const english: ReasonCatalogue & { readonly texts: typeof texts } = { texts, decimal: ".", and: " and " }
