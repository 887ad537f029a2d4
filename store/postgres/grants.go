package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"fiscube/internal/each"
	"fiscube/store/sqlgen"
)

// grant is what one role may do with a view or a column of it.
type grant struct {
	View      string
	Column    string // "" for the whole view
	Statement string // that grants it
	Revoke    string // that takes everything from the role
}

// grants lists what views allow to others than their owner.
func grants(ctx context.Context, tx pgx.Tx, existing []existingView) ([]grant, error) {
	names := each.Text(existing, func(v existingView) string { return v.name })
	rows, err := tx.Query(ctx, selectGrants, names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[grant])
}

// selectGrants gives the rows of grant for the views $1.
const selectGrants = `SELECT g.view, g.column, format('GRANT %s%s ON cube.%I TO %s%s', privilege_type,
	CASE WHEN g.column <> '' THEN format(' (%I)', g.column) END, g.view, role, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END),
	format('REVOKE ALL ON cube.%I FROM %s', g.view, role)
	FROM (SELECT c.relname::text AS view, coalesce(a.attname::text, '') AS column, acl.privilege_type, acl.is_grantable,
		CASE WHEN acl.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(acl.grantee)) END AS role
		FROM pg_class c
		LEFT JOIN (SELECT attrelid, attname, attacl FROM pg_attribute WHERE attacl IS NOT NULL
			UNION ALL SELECT oid, NULL, relacl FROM pg_class) a ON a.attrelid = c.oid
		CROSS JOIN LATERAL aclexplode(a.attacl) acl
		WHERE c.relnamespace = 'cube'::regnamespace AND c.relname = ANY($1) AND acl.grantee <> c.relowner) g
	ORDER BY g.view, g.column, role, privilege_type`

// regrant gives views that were made anew the grants they had, in place of what default privileges gave them. A
// view that did not exist before keeps the latter; the grants of a column go with it.
func regrant(ctx context.Context, tx pgx.Tx, views []sqlgen.View, existing []existingView, had []grant) error {
	given, err := grants(ctx, tx, existing)
	if err != nil {
		return err
	}
	statements := each.Text(given, func(g grant) string { return g.Revoke })
	for _, g := range had {
		if g.Column == "" || hasColumn(views, g) {
			statements = append(statements, g.Statement)
		}
	}
	return execAll(ctx, tx, statements)
}

func hasColumn(views []sqlgen.View, g grant) bool {
	return slices.ContainsFunc(views, func(v sqlgen.View) bool {
		return v.Name == g.View && slices.ContainsFunc(v.Columns, func(c sqlgen.ViewColumn) bool { return c.Name == g.Column })
	})
}
