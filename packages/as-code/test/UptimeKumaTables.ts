/** A database as Uptime Kuma 2.5 creates it: its tables and columns, in SQLite with a write-ahead log. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"

/** Columns by table, with their types and defaults. */
const tables = {
  user: `
    id INTEGER PRIMARY KEY, username VARCHAR(255) NOT NULL, password VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1,
    timezone VARCHAR(150), twofa_secret VARCHAR(64), twofa_status BOOLEAN NOT NULL DEFAULT 0,
    twofa_last_token VARCHAR(6)`,
  setting: `
    id INTEGER PRIMARY KEY, "key" VARCHAR(200) NOT NULL, value TEXT, type VARCHAR(20)`,
  proxy: `
    id INTEGER PRIMARY KEY, user_id INT NOT NULL, protocol VARCHAR(10) NOT NULL, host VARCHAR(255) NOT NULL,
    port INTEGER, auth BOOLEAN NOT NULL, username VARCHAR(255), password VARCHAR(255),
    active BOOLEAN NOT NULL DEFAULT 1, "default" BOOLEAN NOT NULL DEFAULT 0,
    created_date DATETIME NOT NULL DEFAULT (DATETIME('now'))`,
  notification: `
    id INTEGER PRIMARY KEY, name VARCHAR(255), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER NOT NULL,
    is_default BOOLEAN NOT NULL DEFAULT 0, config TEXT`,
  monitor: `
    id INTEGER PRIMARY KEY, name VARCHAR(150), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER,
    interval INTEGER NOT NULL DEFAULT 20, url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000,
    hostname VARCHAR(255), port INTEGER, created_date DATETIME NOT NULL DEFAULT (DATETIME('now')),
    keyword VARCHAR(255), maxretries INTEGER NOT NULL DEFAULT 0, ignore_tls BOOLEAN NOT NULL DEFAULT 0,
    upside_down BOOLEAN NOT NULL DEFAULT 0, maxredirects INTEGER NOT NULL DEFAULT 10,
    accepted_statuscodes_json TEXT NOT NULL DEFAULT '["200-299"]', dns_resolve_type VARCHAR(5),
    dns_resolve_server VARCHAR(255), dns_last_result TEXT, retry_interval INTEGER NOT NULL DEFAULT 0,
    push_token varchar(32), method TEXT NOT NULL DEFAULT 'GET', body TEXT, headers TEXT, basic_auth_user TEXT,
    basic_auth_pass TEXT, docker_host INTEGER, docker_container VARCHAR(255), proxy_id INTEGER,
    expiry_notification BOOLEAN DEFAULT 1, mqtt_topic TEXT, mqtt_success_message VARCHAR(255),
    mqtt_username VARCHAR(255), mqtt_password VARCHAR(255), database_connection_string VARCHAR(2000),
    database_query TEXT, auth_method VARCHAR(250), auth_domain TEXT, auth_workstation TEXT, grpc_url VARCHAR(255),
    grpc_protobuf TEXT, grpc_body TEXT, grpc_metadata TEXT, grpc_method VARCHAR(255), grpc_service_name VARCHAR(255),
    grpc_enable_tls BOOLEAN NOT NULL DEFAULT 0, radius_username VARCHAR(255), radius_password VARCHAR(255),
    radius_calling_station_id VARCHAR(50), radius_called_station_id VARCHAR(50), radius_secret VARCHAR(255),
    resend_interval INTEGER NOT NULL DEFAULT 0, packet_size INTEGER NOT NULL DEFAULT 56, game VARCHAR(255),
    http_body_encoding VARCHAR(25), description TEXT, tls_ca TEXT, tls_cert TEXT, tls_key TEXT, parent INTEGER,
    invert_keyword BOOLEAN NOT NULL DEFAULT 0, json_path TEXT, expected_value VARCHAR(255),
    kafka_producer_topic VARCHAR(255), kafka_producer_brokers TEXT, kafka_producer_sasl_options TEXT,
    kafka_producer_message TEXT, oauth_client_id TEXT, oauth_client_secret TEXT, oauth_token_url TEXT,
    oauth_scopes TEXT, oauth_auth_method TEXT, timeout DOUBLE NOT NULL DEFAULT 0,
    gamedig_given_port_only BOOLEAN NOT NULL DEFAULT 1, kafka_producer_ssl BOOLEAN NOT NULL DEFAULT 0,
    kafka_producer_allow_auto_topic_creation BOOLEAN NOT NULL DEFAULT 0,
    mqtt_check_type varchar(255) NOT NULL DEFAULT 'keyword', remote_browser INTEGER, snmp_oid varchar(255),
    snmp_version TEXT DEFAULT '2c', json_path_operator varchar(255), cache_bust boolean NOT NULL DEFAULT '0',
    conditions TEXT NOT NULL DEFAULT '[]', rabbitmq_nodes TEXT, rabbitmq_username varchar(255),
    rabbitmq_password varchar(255), smtp_security varchar(255),
    ws_ignore_sec_websocket_accept_header boolean NOT NULL DEFAULT '0',
    ws_subprotocol varchar(255) NOT NULL DEFAULT '', ping_count INTEGER NOT NULL DEFAULT '1',
    ping_numeric boolean NOT NULL DEFAULT '1', ping_per_request_timeout INTEGER NOT NULL DEFAULT '2',
    ip_family varchar(4), manual_status INTEGER, oauth_audience varchar(255), mqtt_websocket_path varchar(255),
    domain_expiry_notification boolean DEFAULT '0', save_response boolean NOT NULL DEFAULT '0',
    save_error_response boolean NOT NULL DEFAULT '1', response_max_length INTEGER NOT NULL DEFAULT '1024',
    system_service_name varchar(255), subtype varchar(10), location varchar(255), protocol varchar(20),
    snmp_v3_username varchar(255), expected_tls_alert varchar(50),
    retry_only_on_status_code_failure boolean NOT NULL DEFAULT '0', screenshot_delay INTEGER NOT NULL DEFAULT '0',
    ntp_stratum_threshold INTEGER DEFAULT '5', ntp_time_offset_threshold INTEGER DEFAULT '1000',
    ntp_root_dispersion_threshold INTEGER DEFAULT '500', bearer_token TEXT, gamedig_token TEXT`,
  monitor_notification: `
    id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, notification_id INTEGER NOT NULL`,
  tag: `
    id INTEGER PRIMARY KEY, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL,
    created_date DATETIME NOT NULL DEFAULT (DATETIME('now'))`,
  monitor_tag: `
    id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT`,
  group: `
    id INTEGER PRIMARY KEY, name VARCHAR(255) NOT NULL, created_date DATETIME NOT NULL DEFAULT (DATETIME('now')),
    public BOOLEAN NOT NULL DEFAULT 0, active BOOLEAN NOT NULL DEFAULT 1, weight BOOLEAN NOT NULL DEFAULT 1000,
    status_page_id INTEGER`,
  monitor_group: `
    id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, group_id INTEGER NOT NULL,
    weight BOOLEAN NOT NULL DEFAULT 1000, send_url BOOLEAN NOT NULL DEFAULT 0, custom_url TEXT`,
  status_page: `
    id INTEGER PRIMARY KEY, slug VARCHAR(255) NOT NULL, title VARCHAR(255) NOT NULL, description TEXT,
    icon VARCHAR(255) NOT NULL, theme VARCHAR(30) NOT NULL, published BOOLEAN NOT NULL DEFAULT 1,
    search_engine_index BOOLEAN NOT NULL DEFAULT 1, show_tags BOOLEAN NOT NULL DEFAULT 0, password VARCHAR,
    created_date DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    modified_date DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, footer_text TEXT, custom_css TEXT,
    show_powered_by BOOLEAN NOT NULL DEFAULT 1, analytics_id VARCHAR,
    show_certificate_expiry BOOLEAN NOT NULL DEFAULT 0, auto_refresh_interval INTEGER DEFAULT '300',
    analytics_script_url varchar(255), show_only_last_heartbeat boolean NOT NULL DEFAULT '0', rss_title varchar(255),
    analytics_type varchar(255)`,
  status_page_cname: `
    id INTEGER PRIMARY KEY, status_page_id INTEGER NOT NULL, domain VARCHAR NOT NULL`,
  incident: `
    id INTEGER PRIMARY KEY, title VARCHAR(255) NOT NULL, content TEXT NOT NULL,
    style VARCHAR(30) NOT NULL DEFAULT 'warning', created_date DATETIME NOT NULL DEFAULT (DATETIME('now')),
    last_updated_date DATETIME, pin BOOLEAN NOT NULL DEFAULT 1, active BOOLEAN NOT NULL DEFAULT 1,
    status_page_id INTEGER`,
  maintenance: `
    id INTEGER PRIMARY KEY, title VARCHAR(150) NOT NULL, description TEXT NOT NULL, user_id INTEGER,
    active BOOLEAN NOT NULL DEFAULT 1, strategy VARCHAR(50) NOT NULL DEFAULT 'single', start_date DATETIME,
    end_date DATETIME, start_time TIME, end_time TIME, weekdays VARCHAR2(250) DEFAULT '[]',
    days_of_month TEXT DEFAULT '[]', interval_day INTEGER, cron TEXT, timezone VARCHAR(255), duration INTEGER,
    last_start_date datetime`,
  monitor_maintenance: `
    id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL`,
  maintenance_status_page: `
    id INTEGER PRIMARY KEY, status_page_id INTEGER NOT NULL, maintenance_id INTEGER NOT NULL`,
  api_key: `
    id INTEGER PRIMARY KEY, "key" VARCHAR(255) NOT NULL, name VARCHAR(255) NOT NULL, user_id INTEGER NOT NULL,
    created_date DATETIME NOT NULL DEFAULT (DATETIME('now')), active BOOLEAN NOT NULL DEFAULT 1, expires DATETIME`,
  heartbeat: `
    id INTEGER PRIMARY KEY, important BOOLEAN NOT NULL DEFAULT 0, monitor_id INTEGER NOT NULL,
    status SMALLINT NOT NULL, msg TEXT, time DATETIME NOT NULL, ping bigint, duration INTEGER NOT NULL DEFAULT 0,
    down_count INTEGER NOT NULL DEFAULT 0, end_time datetime, retries INTEGER NOT NULL DEFAULT '0', response TEXT`,
  knex_migrations: `
    id INTEGER PRIMARY KEY, name varchar(255), batch INTEGER, migration_time datetime`,
  knex_migrations_lock: `
    "index" INTEGER PRIMARY KEY, is_locked INTEGER`
} as const

/** The columns of monitors, with their definitions. */
export const monitorColumns: Readonly<Record<string, string>> = Object.fromEntries(
  tables.monitor.split(/,(?![^(]*\))/).map((definition) => {
    const [name = "", ...rest] = definition.trim().split(/\s+/)
    return [name, rest.join(" ")]
  })
)

type Row = Readonly<Record<string, string | number | null>>
export type Rows = Partial<Readonly<Record<keyof typeof tables, ReadonlyArray<Row>>>>

const always: Rows = {
  knex_migrations: [{ name: "2026-08-18-0000-sqlite-only-drop-analytics-type-check.js", batch: 1 }],
  knex_migrations_lock: [{ is_locked: 0 }]
}

const insert = (database: DatabaseSync, rows: Rows): void => {
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const columns = Object.keys(row).map((name) => `"${name}"`)
      database
        .prepare(`INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
        .run(...Object.values(row))
    }
}

/** Files of a database in a folder that is removed when the scope of `using` ends. */
export class KumaDatabase {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), "kanmon-kuma-"))
  readonly file = path.join(this.folder, "kuma.db")
  /** As Uptime Kuma has it open. */
  readonly open = new DatabaseSync(this.file)

  /** `logged` rows are only in the write-ahead log, like the changes of a server that runs. */
  constructor(rows: Rows, logged: Rows = {}) {
    this.open.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    for (const [table, columns] of Object.entries(tables)) this.open.exec(`CREATE TABLE "${table}" (${columns})`)
    insert(this.open, { ...always, ...rows })
    this.open.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    insert(this.open, logged)
  }

  /** Copies files of the database to a folder of their own, and returns the path of the copy. */
  copy(...endings: ReadonlyArray<"" | "-wal" | "-shm">): string {
    const folder = fs.mkdtempSync(path.join(this.folder, "copy-"))
    for (const ending of endings) fs.copyFileSync(`${this.file}${ending}`, path.join(folder, `kuma.db${ending}`))
    return path.join(folder, "kuma.db")
  }

  [Symbol.dispose](): void {
    this.open.close()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}
