"""Number the uses of limits from a sequence that survives when another PostgreSQL server takes over.

Since PostgreSQL 15, the sequence of an unlogged table is unlogged, too. On a standby that becomes the leader, it is
empty, and `pg_dump` fails, so there are no more backups.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

EXPANDS = True


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute("TRUNCATE limit_hit")
    op.execute("ALTER TABLE limit_hit ALTER COLUMN id DROP DEFAULT")
    op.execute("DROP SEQUENCE limit_hit_id_seq")
    op.execute("CREATE SEQUENCE limit_hit_id_seq AS integer OWNED BY limit_hit.id")
    op.execute("ALTER TABLE limit_hit ALTER COLUMN id SET DEFAULT nextval('limit_hit_id_seq'::regclass)")
