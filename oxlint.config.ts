/**
 * Lint, and the walls between packages. Overrides do not merge: of two that cover a file, the later one replaces the
 * options of a rule. So each room has exactly one list of what it may not import. `tests/architecture/walls.test.ts`
 * plants a violation of every restriction in the deepest folder that it covers.
 */
import type { OxlintConfig, OxlintOverride } from "oxlint"
import type { Layers } from "./tests/lint/plugin.ts"
import type { Writes } from "./tests/lint/writes.ts"

const tests = [
  "packages/*/test/**",
  "plugins/*/test/**",
  "docs/examples/plugins/*/test/**",
  "apps/*/test/**",
  "tests/**",
  "packages/testkit/src/**"
]

/** Where what requests say is read before a schema has decoded it. */
const readsRequests = [
  "packages/platform/src/http/**",
  "packages/{identity,monitoring}/src/**/*Handlers.ts",
  "apps/server/src/listeners/**"
]

/**
 * Where answers of targets, identity providers and registries, and uploaded files are read. Channels are left out: they write
 * what schemas have bounded, and read answers of which `HttpRequest` keeps 64 KiB. Files as code too: they are read on the
 * machine of their owner, and here as bodies within the limit of their endpoint, or in a process with limits of its own.
 */
const readsAnswers = [
  "plugins/check-*/src/**",
  "packages/core/src/Http*.ts",
  "packages/identity/src/sso/protocols/**",
  "packages/monitoring/src/{domain-registrations,imports}/**"
]

/** These read settings, which their schemas bound, or run in the bounded evaluator, which has a deadline. */
const readsSettings = [
  "plugins/check-http/src/{ClientKey,Expressions,HttpConfig,JsonQuery,Pattern,Pem,RequestBody,StatusCodes}.ts",
  "plugins/check-http/src/{BodyRules,ExactNumber}.ts"
]

/** Addresses and names of settings, lines of a head within its limit, and codes of errors of Node. */
const boundedParts = ["url", "bootstrapUrl", "issuer", "entityId", "username", "hostname", "host", "line", "code"]

/** What schemas have decoded, what `RequestBounds` has looked at, and what the operator or the code says. */
const boundedTexts = ["params", "query", "payload", "headers", "url", "baseUrl", "endpoint"]

/** What is in the product, plugins of other authors included. */
const product = [
  "packages/*/src/**",
  "plugins/*/src/**",
  "apps/*/src/**",
  "docs/examples/plugins/*/src/**",
  "apps/server/templates/*/src/**"
]

const httpServer = ["effect/http-api"]
const store = ["effect/sql", "@effect/sql-pg", "effect/cluster"]
const drivers = ["@nats-io/**", "undici"]
/** Accounts and sessions are kept by the driver of identity alone. */
const accountDriver = ["better-auth", "better-auth/**", "@better-auth/**", "@better-fetch/**", "better-call"]
/** The protocols of identity providers are spoken by identity alone. */
const signOnProtocols = ["openid-client", "@node-saml/**"]

interface Room {
  readonly files: ReadonlyArray<string>
  /** Folders with a room of their own. */
  readonly except?: ReadonlyArray<string>
  /** The packages of the house that it may import. */
  readonly sees: ReadonlyArray<string>
  /** What else it may not import. */
  readonly without: ReadonlyArray<string>
  readonly message: string
}

const room = ({ except = [], files, message, sees, without }: Room): OxlintOverride => ({
  files: [...files],
  ...(except.length === 0 ? {} : { excludeFiles: [...except] }),
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: ["@kanmon/**", ...sees.flatMap((name) => [`!@kanmon/${name}`, `!@kanmon/${name}/**`]), ...without],
            message
          }
        ]
      }
    ]
  }
})

const rooms: ReadonlyArray<OxlintOverride> = [
  room({
    files: ["packages/domain/**"],
    sees: [],
    without: [
      "node:*",
      ...drivers,
      ...httpServer,
      ...store,
      "effect/http",
      "effect/rpc",
      "@effect/platform-node",
      ...accountDriver,
      ...signOnProtocols
    ],
    message: "domain imports effect alone and does no I/O."
  }),
  room({
    files: ["packages/core/**"],
    sees: ["domain"],
    without: [...drivers, ...httpServer, ...store, ...accountDriver, ...signOnProtocols],
    message: "core sees domain alone, and knows no driver."
  }),
  room({
    files: ["packages/protocol/**"],
    sees: ["domain"],
    without: ["node:*", ...drivers, ...store, ...accountDriver, ...signOnProtocols],
    message: "protocol sees domain alone, and runs in browsers too."
  }),
  room({
    files: ["packages/bus/**"],
    sees: ["domain", "core"],
    without: ["undici", ...httpServer, ...store, ...accountDriver, ...signOnProtocols],
    message: "bus sees domain and core alone, and has no database."
  }),
  room({
    files: ["packages/probe/**"],
    sees: ["domain", "core"],
    without: [...drivers, ...httpServer, ...store, ...accountDriver, ...signOnProtocols],
    message: "probe sees domain and core alone, and has no database."
  }),
  room({
    files: ["packages/demo/**", "packages/testkit/**"],
    sees: ["domain", "core"],
    without: [...httpServer, ...store, ...accountDriver, ...signOnProtocols],
    message: "This package sees domain and core alone."
  }),
  room({
    files: ["packages/platform/src/**"],
    sees: ["domain", "core", "protocol"],
    without: ["@nats-io/**", ...accountDriver, ...signOnProtocols],
    message: "platform sees domain, core and protocol: it knows no feature and no bus driver."
  }),
  room({
    files: ["packages/identity/src/**"],
    except: ["packages/identity/src/accounts/better-auth/**", "packages/identity/src/sso/protocols/**"],
    sees: ["domain", "core", "protocol", "platform"],
    without: ["@nats-io/**", ...accountDriver, ...signOnProtocols],
    message:
      "identity sees platform and what is below it: it knows nothing of monitoring, no bus driver, and accounts and protocols through their drivers."
  }),
  room({
    files: ["packages/identity/src/accounts/better-auth/**"],
    sees: ["domain", "core", "protocol", "platform"],
    without: ["@nats-io/**", ...signOnProtocols],
    message: "The driver of accounts sees what identity sees, and Better Auth."
  }),
  room({
    files: ["packages/identity/src/sso/protocols/**"],
    sees: ["domain", "core", "protocol", "platform"],
    without: ["@nats-io/**", ...accountDriver],
    message: "The protocols see what identity sees, and their libraries."
  }),
  room({
    files: ["packages/monitoring/src/**"],
    sees: ["domain", "core", "protocol", "status-page", "platform", "identity"],
    without: ["@kanmon/identity/testing/**", "@nats-io/**", ...accountDriver, ...signOnProtocols],
    message: "monitoring sees identity by its doors, platform and what is below it, and no bus driver."
  }),
  room({
    files: ["packages/status-page/src/**"],
    sees: ["domain"],
    without: [
      "node:*",
      "!node:crypto",
      ...drivers,
      ...store,
      "effect/http",
      ...httpServer,
      ...accountDriver,
      ...signOnProtocols
    ],
    message: "status-page renders what domain describes: it reads no file and queries nothing."
  }),
  room({
    files: ["packages/as-code/src/**"],
    sees: ["domain", "core", "protocol"],
    without: [...drivers, ...store, ...accountDriver, ...signOnProtocols],
    message: "as-code sees domain, core and protocol alone."
  }),
  room({
    files: ["plugins/*/src/**", "docs/examples/plugins/*/src/**", "apps/server/templates/*/src/**"],
    sees: ["domain", "core"],
    without: [...httpServer, ...store, ...accountDriver, ...signOnProtocols],
    message: "A plugin sees domain and core alone, and asks the host for everything else."
  }),
  room({
    files: ["plugins/*/test/**", "docs/examples/plugins/*/test/**", "apps/server/templates/*/tests/**"],
    sees: ["domain", "core", "testkit"],
    without: [],
    message: "A plugin's tests see domain, core and testkit alone."
  }),
  {
    files: ["apps/server/src/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["@kanmon/identity/testing/**", "@kanmon/monitoring/testing/**"],
              message: "Only tests look behind the doors of the control plane: export it from the feature's index.ts."
            },
            {
              group: [...accountDriver, ...signOnProtocols],
              message: "Accounts are identity's: ask its SignIn."
            }
          ]
        }
      ]
    }
  },
  {
    files: ["apps/dashboard/src/**"],
    rules: {
      "typescript/no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: [
                "@kanmon/**",
                "effect",
                "effect/**",
                "node:*",
                "!@kanmon/status-page/client/BarTips",
                "!@kanmon/status-page/DayLevel",
                "!@kanmon/status-page/Shapes",
                "!@kanmon/status-page/MessageParts",
                // Makes the sentences of reasons, and imports nothing.
                "!@kanmon/domain/ReasonText"
              ],
              allowTypeImports: true,
              message: "The dashboard takes types of domain and protocol, and no code but the sentences of reasons."
            }
          ]
        }
      ]
    }
  }
]

const dashboard: Layers = {
  within: "apps/dashboard/src",
  hidden: {
    theme: ["ui", "forms", "api", "live", "features", "routes"],
    ui: ["api", "live", "features", "routes"],
    forms: ["api", "live", "features", "routes"],
    api: ["features", "routes"],
    live: ["features", "routes"],
    features: ["routes"]
  },
  apart: ["features"]
}

const reads = ["/preview", "POST /monitors/test"]
const writes = "apps/dashboard/src/**/writes.ts"

const dashboardWrites: ReadonlyArray<OxlintOverride> = [
  {
    files: ["apps/dashboard/src/**"],
    excludeFiles: ["apps/dashboard/src/api/**", "apps/dashboard/src/live/**", writes],
    rules: {
      "kanmon/writes-in-place": [
        "error",
        { reads, cache: ["invalidateQueries", "setQueryData", "setQueriesData", "cancelQueries"] } satisfies Writes
      ]
    }
  },
  {
    // Events make queries stale, too.
    files: ["apps/dashboard/src/live/**"],
    excludeFiles: [writes],
    rules: { "kanmon/writes-in-place": ["error", { reads, cache: [] } satisfies Writes] }
  }
]

const clock = "Time goes through Effect's Clock."
const randomness = "Randomness goes through effect/crypto or Effect's Random."
const fetchGlobal = { name: "fetch", message: "Ask for the capability: the Dialer, or an HttpClient." }

const ambientProperties = [
  { object: "Date", property: "now", message: clock },
  { object: "Math", property: "random", message: randomness },
  { object: "crypto", property: "randomUUID", message: randomness },
  { object: "crypto", property: "getRandomValues", message: randomness }
]

const pages = ["apps/dashboard/src/**", "packages/status-page/src/client.ts", "packages/status-page/src/client/**"]
const secure =
  "Browsers keep this for HTTPS and localhost: use apps/dashboard/src/browser/secure.ts, which has a way without it."

const secureGlobals = [
  "isSecureContext",
  "Notification",
  "PushManager",
  "PublicKeyCredential",
  "caches",
  "cookieStore",
  "showOpenFilePicker",
  "showSaveFilePicker",
  "showDirectoryPicker",
  "EyeDropper",
  "IdleDetector",
  "PaymentRequest",
  "SharedArrayBuffer",
  "SubtleCrypto"
]

/** Other objects have properties of some of these names too: those are restricted on `navigator` alone. */
const secureProperties = [
  ...[
    "randomUUID",
    "subtle",
    "clipboard",
    "wakeLock",
    "serviceWorker",
    "storageBuckets",
    "geolocation",
    "mediaDevices",
    "canShare",
    "setAppBadge",
    "registerProtocolHandler",
    "getBattery",
    "isSecureContext"
  ].map((property) => ({ property })),
  ...["credentials", "storage", "locks", "permissions", "share", "bluetooth", "usb"].map((property) => ({
    object: "navigator",
    property
  }))
]

const ambient: ReadonlyArray<OxlintOverride> = [
  {
    files: ["packages/*/src/**"],
    // The dialer measures how long a connection takes; testkit is for tests.
    excludeFiles: ["packages/core/src/**", "packages/testkit/src/**", ...pages],
    rules: {
      "no-restricted-properties": [
        "error",
        ...ambientProperties,
        { object: "performance", property: "now", message: clock }
      ]
    }
  },
  {
    // Checks measure how long a target takes.
    files: ["packages/core/src/**", "plugins/*/src/**", "docs/examples/plugins/*/src/**"],
    rules: { "no-restricted-properties": ["error", ...ambientProperties] }
  },
  {
    files: ["packages/*/src/**", "plugins/*/src/**", "docs/examples/plugins/*/src/**"],
    rules: { "kanmon/ambient-date": "error" }
  },
  {
    files: ["packages/domain/src/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        fetchGlobal,
        ...["performance", "setTimeout", "setInterval", "setImmediate"].map((name) => ({ name, message: clock })),
        { name: "crypto", message: randomness },
        ...["process", "globalThis"].map((name) => ({ name, message: "domain has no surroundings." }))
      ]
    }
  },
  {
    // They run in browsers, without Effect.
    files: pages,
    rules: {
      "no-restricted-globals": [
        "error",
        { name: "fetch", message: "Ask the API through api/request.ts." },
        ...secureGlobals.map((name) => ({ name, message: secure }))
      ],
      "no-restricted-properties": ["error", ...secureProperties.map((use) => ({ ...use, message: secure }))],
      "kanmon/ambient-date": "off"
    }
  }
]

/** React's rules, and those of its hooks and of accessibility. */
const react: OxlintOverride = {
  files: ["apps/dashboard/**"],
  rules: {
    "react/rules-of-hooks": "error",
    "react/exhaustive-deps": "error",
    "react/react-in-jsx-scope": "off",
    // Functions that render a part are properties here, called and not mounted.
    "react/no-unstable-nested-components": ["error", { allowAsProps: true }],
    // Diagnostics of the React compiler, which does not compile the dashboard.
    "react/refs": "off",
    "react/purity": "off",
    "react/immutability": "off",
    "react/set-state-in-effect": "off",
    "react/exhaustive-effect-dependencies": "off",
    "react/incompatible-library": "off",
    // Grids and menus follow the ARIA practices, which use roles.
    "jsx-a11y/prefer-tag-over-role": "off",
    "jsx-a11y/no-noninteractive-element-to-interactive-role": ["error", { ul: ["listbox"], li: ["option"] }],
    "jsx-a11y/no-static-element-interactions": ["error", { allowExpressionValues: true }],
    // Parts that scroll can be focused, so that the keyboard can scroll them.
    "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: ["ul"], roles: ["region", "group", "tabpanel"] }],
    // A form that the user opened takes the focus.
    "jsx-a11y/no-autofocus": "off"
  }
}

export default {
  // An override can name plugins too, but the categories do not reach them.
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "node", "react", "jsx-a11y"],
  jsPlugins: ["./tests/lint/plugin.ts"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error"
  },
  ignorePatterns: ["**/*.gen.ts", "docs/reference/**"],
  rules: {
    "no-console": "error",
    "no-restricted-globals": ["error", fetchGlobal],
    "node/no-process-env": "error",
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "off",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "no-shadow": "off",
    "no-await-in-loop": "off",
    "require-yield": "off",
    "no-underscore-dangle": "off",
    "no-unneeded-ternary": "off",
    "no-nested-ternary": "off",
    "consistent-return": "off",
    "no-map-spread": "off",
    "oxc/no-map-spread": "off",
    "import/no-named-as-default": "off",
    "import/no-named-as-default-member": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-method-this-argument": "off",
    "unicorn/prefer-add-event-listener": "off",
    "promise/always-return": "off",
    "promise/valid-params": "off",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "none" }]
  },
  overrides: [
    ...rooms,
    {
      files: product,
      rules: { "kanmon/own-package": ["error", []] }
    },
    {
      // What the tests of several packages share, the plugins of the product, and the recurrence rules as a reference.
      files: ["packages/*/test/**", "plugins/*/test/**", "docs/examples/plugins/*/test/**", "apps/*/test/**"],
      rules: {
        "kanmon/own-package": [
          "error",
          ["tests/support/", "apps/server/src/plugins.gen.ts", "packages/monitoring/src/maintenance/"]
        ]
      }
    },
    {
      files: ["apps/dashboard/src/**"],
      rules: { "kanmon/layers": ["error", dashboard] }
    },
    ...dashboardWrites,
    react,
    ...ambient,
    {
      files: product,
      rules: { "kanmon/linear-expressions": "error" }
    },
    {
      // Targets of checks, channels and RDAP are elsewhere.
      files: [
        "packages/{platform,identity,monitoring}/src/**",
        "packages/status-page/src/**",
        "packages/protocol/src/**",
        "packages/core/src/**",
        "plugins/auth-*/src/**",
        "apps/*/src/**"
      ],
      rules: { "kanmon/own-address": "error" }
    },
    {
      files: readsRequests,
      rules: { "kanmon/bounded-first": ["error", { names: boundedTexts }] }
    },
    {
      files: readsAnswers,
      excludeFiles: readsSettings,
      rules: { "kanmon/bounded-first": ["error", { names: boundedParts }] }
    },
    {
      files: tests,
      rules: {
        "no-restricted-globals": "off",
        "no-restricted-properties": "off",
        "kanmon/ambient-date": "off",
        "node/no-process-env": "off",
        "typescript/no-explicit-any": "off"
      }
    },
    {
      files: ["tests/bench/**", "apps/*/scripts/**"],
      rules: { "no-console": "off", "node/no-process-env": "off" }
    },
    {
      files: ["docs/examples/{clients,subscribers}/**"],
      rules: { "no-console": "off", "no-restricted-globals": "off", "node/no-process-env": "off" }
    }
  ]
} satisfies OxlintConfig
