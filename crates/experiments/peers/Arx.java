// A published table that ARX makes of a data set of the league.
//
// usage: java -cp libarx.jar Arx.java local|global FOLDER OUT.csv K L PERCENT SECONDS BYTES
//
// FOLDER holds table.csv, columns.csv (name;role;kind) and hierarchy-N.csv of the N-th column, from 0. Rows keep their order; a
// suppressed row has * in all quasi-identifiers. `global` is the best choice of one level a column with at most PERCENT of the rows suppressed; `local`
// lets ARX recode the suppressed rows again and again. Prints the user CPU seconds from the first call of the
// anonymizer to the last.

import java.io.BufferedWriter;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import org.deidentifier.arx.ARXAnonymizer;
import org.deidentifier.arx.ARXConfiguration;
import org.deidentifier.arx.ARXResult;
import org.deidentifier.arx.AttributeType;
import org.deidentifier.arx.AttributeType.Hierarchy;
import org.deidentifier.arx.Data;
import org.deidentifier.arx.DataHandle;
import org.deidentifier.arx.criteria.DistinctLDiversity;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;
import org.deidentifier.arx.metric.Metric.AggregateFunction;

public class Arx {
    /** Share of the records that a round of local recoding recodes at least. */
    private static final double ROUND = 0.01;

    public static void main(String[] given) throws Exception {
        boolean local = given[0].equals("local");
        if (!local && !given[0].equals("global")) {
            throw new IllegalArgumentException("unknown entrant " + given[0]);
        }
        Path folder = Paths.get(given[1]);
        int k = Integer.parseInt(given[3]);
        int l = Integer.parseInt(given[4]);
        double share = Double.parseDouble(given[5]) / 100;

        Data data = Data.create(folder.resolve("table.csv").toFile(), StandardCharsets.UTF_8, ',');
        ARXConfiguration config = ARXConfiguration.create();
        config.addPrivacyModel(new KAnonymity(k));
        List<String> columns = Files.readAllLines(folder.resolve("columns.csv"), StandardCharsets.UTF_8);
        for (int at = 1; at < columns.size(); at++) {
            String[] column = columns.get(at).split(";");
            if (column[1].equals("sensitive")) {
                data.getDefinition().setAttributeType(column[0], AttributeType.SENSITIVE_ATTRIBUTE);
                if (l > 0) {
                    config.addPrivacyModel(new DistinctLDiversity(column[0], l));
                }
            } else {
                File file = folder.resolve("hierarchy-" + (at - 1) + ".csv").toFile();
                Hierarchy hierarchy = Hierarchy.create(file, StandardCharsets.UTF_8, ';');
                data.getDefinition().setAttributeType(column[0], AttributeType.QUASI_IDENTIFYING_ATTRIBUTE);
                data.getDefinition().setAttributeType(column[0], hierarchy);
            }
        }
        // As ARX's examples set local recoding up: each round recodes at least 1 % of the records, suppression being favoured, and the next one
        // begins with those that are suppressed. One level a column: a suppressed record counts as one that has lost all.
        config.setSuppressionLimit(local ? 1d - ROUND : share);
        config.setQualityModel(Metric.createLossMetric(local ? 0d : 0.5d, AggregateFunction.ARITHMETIC_MEAN));

        long began = cpu();
        ARXResult result = new ARXAnonymizer().anonymize(data, config);
        DataHandle output = result.getOutput(false);
        if (output == null) {
            System.err.println("ARX finds no table");
            System.exit(1);
        }
        if (local && result.isOptimizable(output)) {
            result.optimizeIterativeFast(output, ROUND);
        }
        double spent = (cpu() - began) / 1e9;

        try (BufferedWriter writer = Files.newBufferedWriter(Paths.get(given[2]), StandardCharsets.UTF_8)) {
            for (Iterator<String[]> rows = output.iterator(); rows.hasNext();) {
                List<String> cells = new ArrayList<>();
                for (String cell : rows.next()) {
                    cells.add('"' + cell.replace("\"", "\"\"") + '"');
                }
                writer.write(String.join(",", cells));
                writer.write('\n');
            }
        }
        System.out.println(spent);
    }

    /** CPU nanoseconds of this process so far, of all threads. */
    private static long cpu() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }
}
