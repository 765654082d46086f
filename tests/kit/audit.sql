-- Has the database of a playroom note which host has written each entry, and who owned the table at
-- the time; when nodes end; and whenever a table has a new owner, whether the one before was there.

CREATE TABLE written (
    stream text, version integer, host inet, owner text, name text, at double precision
);
CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO written
        SELECT NEW.stream, NEW.version, inet_client_addr(), owners.node, nodes.name,
            extract(epoch FROM clock_timestamp())
        FROM (SELECT) AS one LEFT JOIN owners ON owners."table" = NEW.stream
        LEFT JOIN nodes ON nodes.id = owners.node;
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION note_written();

CREATE TABLE dead (node text, at double precision);
CREATE FUNCTION note_dead() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO dead VALUES (OLD.id, extract(epoch FROM clock_timestamp()));
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER DELETE ON nodes FOR EACH ROW EXECUTE FUNCTION note_dead();

CREATE TABLE taken ("table" text, node text, at double precision, living boolean);
CREATE FUNCTION note_taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.node = '' OR TG_OP = 'UPDATE' AND OLD.node = NEW.node THEN RETURN NULL; END IF;
    INSERT INTO taken
        SELECT NEW."table", NEW.node, extract(epoch FROM clock_timestamp()),
            CASE TG_OP WHEN 'UPDATE' THEN EXISTS (SELECT FROM nodes WHERE id = OLD.node)
            ELSE false END;
    RETURN NULL;
END $$;
CREATE TRIGGER noted AFTER INSERT OR UPDATE ON owners
    FOR EACH ROW EXECUTE FUNCTION note_taken();
