export { type PostgresQueries, type PostgresStoreOptions, postgresStore } from './persistence/postgres-store.ts';
