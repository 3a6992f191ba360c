import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One measurement of one JDBC driver in its own process; see ../README.md for the conversation. */
public final class Work {
    interface Operation {
        void run() throws Exception;
    }

    private static final com.sun.management.OperatingSystemMXBean SYSTEM =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static long rows;
    private static int fields;
    private static String first = "";
    /** Every field that is read ends here, so that nothing is left out as unused. */
    private static int seen;

    public static void main(String[] words) {
        Map<String, String> job = new HashMap<>();
        for (String word : words) {
            int sign = word.indexOf('=');
            job.put(word.substring(0, sign), word.substring(sign + 1));
        }
        try {
            measure(job);
        } catch (Throwable problem) {
            Throwable cause = problem;
            while (cause.getCause() != null && cause.getMessage() == null) cause = cause.getCause();
            System.out.println("error {\"reason\": " + quoted(cause.toString()) + "}");
            System.exit(1);
        }
        System.exit(0); // some drivers leave threads behind
    }

    private static void measure(Map<String, String> job) throws Exception {
        Connection connection = DriverManager.getConnection(job.get("url"));
        Operation operation = operation(connection, job);
        operation.run();
        String before = check();

        double warm = Double.parseDouble(job.get("warmup"));
        long begun = System.nanoTime(), done = 0, spent;
        long half = 0, halfDone = 0; // the rate of the second half: the first is not yet compiled
        do {
            operation.run();
            done++;
            spent = System.nanoTime() - begun;
            if (half == 0 && spent > warm * 5e8) {
                half = spent;
                halfDone = done;
            }
        } while (spent < warm * 1e9);
        double rate = done > halfDone ? (done - halfDone) * 1e9 / (spent - half) : done * 1e9 / spent;
        long count = Long.parseLong(job.get("ops"));
        if (count == 0) count = Math.max(1, Math.round(rate * Double.parseDouble(job.get("seconds"))));

        say("ready {\"version\": " + quoted(job.get("version"))
                + ", \"loaded\": " + quoted(loaded(connection))
                + ", \"runtime\": " + quoted("OpenJDK " + System.getProperty("java.version"))
                + ", \"check\": " + quoted(before) + "}");
        int samples = Integer.parseInt(job.get("samples"));
        List<String> told = new ArrayList<>();
        for (int sample = 0; sample < samples; sample++) {
            long cpu = SYSTEM.getProcessCpuTime(), wall = System.nanoTime();
            for (long at = 0; at < count; at++) operation.run();
            wall = System.nanoTime() - wall;
            told.add("[" + wall + ", " + (SYSTEM.getProcessCpuTime() - cpu) + "]");
        }
        say("done {\"ops\": " + count + ", \"samples\": [" + String.join(", ", told) + "]}");
        operation.run();
        System.out.println("checked {\"check\": " + quoted(check()) + "}");
    }

    private static Operation operation(Connection connection, Map<String, String> job) throws Exception {
        String sql = job.get("sql");
        List<Object> values = values(job.get("binds"));
        if (sql.equals("CONNECT")) return () -> DriverManager.getConnection(job.get("url")).close();
        boolean selects = sql.startsWith("SELECT");
        if (job.get("prepare").equals("none") && values.isEmpty()) {
            Statement statement = connection.createStatement();
            if (selects) return () -> read(statement.executeQuery(sql));
            return () -> statement.execute(sql);
        }
        PreparedStatement statement = connection.prepareStatement(sql);
        if (sql.startsWith("INSERT")) return () -> batch(statement, values);
        return () -> {
            for (int at = 0; at < values.size(); at++) bind(statement, at + 1, values.get(at));
            if (selects) read(statement.executeQuery());
            else statement.execute();
        };
    }

    private static void batch(PreparedStatement statement, List<Object> values) throws Exception {
        for (Object value : values) {
            bind(statement, 1, value);
            statement.addBatch();
        }
        statement.executeBatch();
    }

    private static void bind(PreparedStatement statement, int at, Object value) throws Exception {
        if (value instanceof Long) statement.setLong(at, (Long) value);
        else if (value instanceof Double) statement.setDouble(at, (Double) value);
        else statement.setString(at, (String) value);
    }

    private static void read(ResultSet result) throws Exception {
        rows = 0;
        fields = result.getMetaData().getColumnCount();
        while (result.next()) {
            if (rows++ == 0) first = result.getString(1);
            for (int at = 1; at <= fields; at++) {
                Object value = result.getObject(at);
                if (value != null) seen++;
            }
        }
        result.close();
    }

    /** i:42;d:1.5;s:3 as 42, 1.5 and "xxx". */
    private static List<Object> values(String spec) {
        List<Object> found = new ArrayList<>();
        for (String one : spec.split(";")) {
            if (one.isEmpty()) continue;
            String value = one.substring(2);
            if (one.charAt(0) == 'i') found.add(Long.valueOf(value));
            else if (one.charAt(0) == 'd') found.add(Double.valueOf(value));
            else found.add("x".repeat(Integer.parseInt(value)));
        }
        return found;
    }

    private static String loaded(Connection connection) throws Exception {
        var about = connection.getMetaData();
        String version = about.getDriverVersion().replaceFirst("\\s*\\(.*", "");
        return about.getDriverName() + " " + version;
    }

    private static String check() {
        return rows + " x " + (rows == 0 ? 0 : fields) + ": " + (rows == 0 ? "" : first);
    }

    private static void say(String line) throws Exception {
        System.out.println(line);
        for (int one; (one = System.in.read()) != '\n' && one != -1; ) { }
    }

    private static String quoted(String text) {
        return '"' + String.valueOf(text).replaceAll("[\\p{Cntrl}]+", " ").replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
