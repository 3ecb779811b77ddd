export { type RedisCommands, type RedisStoreOptions, redisStore } from './persistence/redis-store.ts';
