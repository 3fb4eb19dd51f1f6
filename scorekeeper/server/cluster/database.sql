-- Run once on the leader. PgBouncer's connections are shared, so the limits belong to the role.
CREATE ROLE scorekeeper LOGIN PASSWORD 'DATABASE-PASSWORD';
ALTER ROLE scorekeeper SET lock_timeout = '10s';
ALTER ROLE scorekeeper SET statement_timeout = '30s';
ALTER ROLE scorekeeper SET idle_in_transaction_session_timeout = '60s';
-- For `scorekeeper backup --drill`, which restores a backup into a database of its own.
ALTER ROLE scorekeeper CREATEDB;
CREATE DATABASE scorekeeper OWNER scorekeeper ENCODING 'UTF8' TEMPLATE template0;
